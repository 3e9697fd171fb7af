import type { Json } from '../../../src/contract/json.ts'

/** Errors of fal: for the submit, or instead of a result. */
type FalErrorSample = { status: number; body: Json; atSubmit?: true }

function ofModel(
  type: string,
  { field = 'prompt', ctx = {}, status = 422 }: { field?: string; ctx?: Record<string, Json>; status?: number } = {},
) {
  const detail = [
    { loc: ['body', field], msg: `Said of ${field}.`, type, url: `https://docs.fal.ai/errors/#${type}`, ctx, input: 'unsaid' },
  ]
  return { status, body: { detail } }
}

function ofMachine(type: string, status: number): FalErrorSample {
  return { status, body: { detail: 'Something went wrong.', error_type: type } }
}

/** Errors in fal's format, by the expected failure. */
export const falErrors: Readonly<Record<string, FalErrorSample>> = {
  'content_policy/prompt_rejected': ofModel('content_policy_violation'),
  'content_policy/input_rejected': ofModel('content_policy_violation', { field: 'image_url' }),
  'prompt_validation/prompt_too_long': ofModel('string_too_long', { ctx: { max_length: 10 } }),
  'prompt_validation/prompt_images_failed': ofModel('face_detection_error', { field: 'image_url' }),
  'parameter_validation/parameter_rejected': ofModel('greater_than_equal', { field: 'seed', ctx: { ge: 0 } }),
  'parameter_validation/input_rejected_by_model': ofModel('file_download_error', { field: 'image_url' }),
  'file_size/file_too_large': ofModel('file_too_large', { field: 'image_url', ctx: { max_size: 10 } }),
  'image_size/image_too_small': ofModel('image_too_small', { field: 'image_url', ctx: { min_width: 256, min_height: 256 } }),
  'image_size/image_too_large': ofModel('image_too_large', { field: 'image_url', ctx: { max_width: 32, max_height: 32 } }),
  'image_format/image_unreadable': ofModel('image_load_error', { field: 'image_url' }),
  'feature_limitation/not_supported': ofModel('feature_not_supported', { field: 'seed' }),
  'model_unavailable/model_offline': { status: 404, body: { detail: 'Application not found' }, atSubmit: true },
  'model_unavailable/model_at_capacity': ofMachine('runner_scheduling_failure', 503),
  'authentication/provider_access_closed': {
    status: 403,
    body: { detail: 'User is locked. Reason: Exhausted balance. Top up your balance.' },
    atSubmit: true,
  },
  'timeout/model_timeout': ofModel('generation_timeout', { status: 504, field: 'body' }),
  'provider_error/provider_failed': ofMachine('runner_server_error', 500),
}

export const failuresOfFal = Object.keys(falErrors)
