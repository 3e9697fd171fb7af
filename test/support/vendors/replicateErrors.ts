import type { Json } from '../../../src/contract/json.ts'

/** Errors of Replicate: for the request, or as the end of a prediction. */
type ReplicateErrorSample = { status: number; body: Json } | { words: string }

function invalid(field: string, description: string): ReplicateErrorSample {
  return {
    status: 422,
    body: {
      title: 'Input validation failed',
      detail: `- ${field}: ${description}\n`,
      status: 422,
      invalid_fields: [{ type: 'number_lte', field, description }],
    },
  }
}

/** Errors in Replicate's format, by the expected failure. */
export const replicateErrors: Readonly<Record<string, ReplicateErrorSample>> = {
  'content_policy/prompt_rejected': {
    words: 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
  },
  'content_policy/output_rejected': { words: 'NSFW content detected. Try running it again, or try a different prompt.' },
  'prompt_validation/prompt_too_long': invalid('input.prompt', 'String length must be less than or equal to 10'),
  'parameter_validation/parameter_rejected': invalid('input.seed', 'Must be greater than or equal to 0'),
  'parameter_validation/input_rejected_by_model': invalid('input.input_image', 'Does not match format uri'),
  'image_format/image_unreadable': { words: "cannot identify image file '/tmp/input.png'" },
  'model_unavailable/model_offline': {
    status: 422,
    body: {
      title: 'Invalid version or not permitted',
      detail: 'The specified version does not exist (or perhaps you lack access)',
      status: 422,
    },
  },
  'model_unavailable/model_at_capacity': { words: 'Service is currently unavailable due to high demand. Please try again later. (E003)' },
  'authentication/provider_access_closed': {
    status: 402,
    body: { title: 'Insufficient credit', detail: 'You have insufficient credit to run this model.', status: 402 },
  },
  'timeout/model_timeout': { words: 'Prediction timed out' },
  'provider_error/provider_failed': { words: 'Prediction interrupted; please retry (code: PA)' },
  'internal_error/unclassified': { words: "KeyError: 'lantern'" },
}

export const failuresOfReplicate = Object.keys(replicateErrors)
