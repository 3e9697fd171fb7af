export type OpenaiError = { status: number; message: string; type: string; code?: string | null; param?: string | null; stage?: string }

const asked = { status: 400, type: 'invalid_request_error' }
const image = { ...asked, type: 'image_generation_user_error' }

/** Errors in OpenAI's format for these reasons. */
export const openaiErrors: Record<string, OpenaiError> = {
  'content_policy/prompt_rejected': {
    ...image,
    code: 'moderation_blocked',
    message: 'Your request was rejected by the safety system. safety_violations=[violence].',
    stage: 'input',
  },
  'content_policy/output_rejected': {
    ...image,
    code: 'moderation_blocked',
    message: 'The generated image was rejected by the safety system. safety_violations=[violence].',
    stage: 'output',
  },
  'prompt_validation/prompt_too_long': {
    ...asked,
    code: 'string_above_max_length',
    param: 'prompt',
    message: "Invalid 'prompt': string too long. Expected a string with maximum length 32000.",
  },
  'prompt_validation/prompt_failed': { ...asked, code: 'invalid_value', param: 'prompt', message: 'The prompt could not be used.' },
  'parameter_validation/parameter_rejected': {
    ...asked,
    code: 'invalid_value',
    param: 'size',
    message: "Invalid value: '17x17'. Supported values are: '1024x1024'.",
  },
  'image_format/image_unreadable': {
    ...asked,
    code: 'invalid_image_file',
    param: 'image',
    message: 'Invalid image file or mode for image 1.',
  },
  'model_unavailable/model_offline': { ...asked, status: 404, code: 'model_not_found', message: 'The model does not exist.' },
  'authentication/provider_access_closed': {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'timeout/model_timeout': { status: 504, type: 'server_error', message: 'Gateway timeout.' },
  'provider_error/provider_failed': {
    status: 500,
    type: 'server_error',
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  'internal_error/unclassified': { status: 418, type: 'teapot', message: 'Something that nobody has heard of.' },
}

export const openaiBusy = {
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached for requests.', param: null },
  503: { type: 'server_error', code: null, message: 'That model is currently overloaded with other requests.', param: null },
}

export function errorBody({ message, type, code = null, param = null, stage }: Omit<OpenaiError, 'status'>): object {
  const details = stage === undefined ? {} : { moderation_details: { moderation_stage: stage, categories: ['violence'] } }
  return { error: { message, type, param, code, ...details } }
}
