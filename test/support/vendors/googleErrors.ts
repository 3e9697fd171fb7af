import type { Json } from '../../../src/contract/json.ts'

/** An error in Google's format: at once with an HTTP status, or as the end of background work. */
export type GoogleError = { status: number; name: string; message: string; reason?: string; atTheEnd?: true }

const invalid = (message: string): GoogleError => ({ status: 400, name: 'INVALID_ARGUMENT', message })

/** The errors for each `class/reason`. */
export const googleErrors: Record<string, GoogleError> = {
  'content_policy/prompt_rejected': invalid(
    "The prompt could not be submitted. It contains words that violate Google's Responsible AI practices. Try rephrasing the prompt.",
  ),
  'content_policy/input_rejected': {
    ...invalid('Your current safety filter threshold prohibited one or more of the input images.'),
    atTheEnd: true,
  },
  'prompt_validation/prompt_too_long': invalid('The input token count (70000) exceeds the maximum number of tokens allowed (65536).'),
  'parameter_validation/parameter_rejected': invalid('`durationSeconds` is out of bound. Please provide a value between 3 and 10.'),
  'image_format/image_unreadable': invalid('Unable to process input image. Please retry or report in the troubleshooting guide.'),
  'model_unavailable/model_offline': { status: 404, name: 'NOT_FOUND', message: 'This model is no longer available.' },
  'model_unavailable/model_at_capacity': {
    status: 503,
    name: 'UNAVAILABLE',
    message: 'The model is overloaded. Please try again later.',
    atTheEnd: true,
  },
  'authentication/provider_access_closed': { status: 403, name: 'PERMISSION_DENIED', message: 'The project has been denied access.' },
  'timeout/model_timeout': { status: 504, name: 'DEADLINE_EXCEEDED', message: 'Deadline expired before operation could complete.' },
  'provider_error/provider_failed': { status: 500, name: 'INTERNAL', message: 'An internal error has occurred.' },
  'internal_error/unclassified': { status: 418, name: 'UNKNOWN', message: 'I cannot say.', atTheEnd: true },
}

const codes: Record<string, number> = { INVALID_ARGUMENT: 3, UNAVAILABLE: 14 }

/** The error as a response body with its status. */
export function errorBody({ status, name, message, reason }: GoogleError, details: Json[] = []): Json {
  const info = reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }]
  return { error: { code: status, message, status: name, details: [...info, ...details] } }
}

/** The error as the end of background work. */
export function endedError({ name, message }: GoogleError): Json {
  return { code: codes[name] ?? 2, message }
}
