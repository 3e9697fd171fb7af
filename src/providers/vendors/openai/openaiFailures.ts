import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { getTextAtPath } from '../../connector/jsonPath.ts'
import { vendorPromptTooLong } from '../../connector/promptTooLong.ts'
import { redactVendorText } from '../../connector/redactVendorText.ts'
import type { JobSpec, ProviderLog, Submitted } from '../../provider.ts'

type Refused = Extract<Submitted, { kind: 'failed' }>
type FailureContext = { status: number; spec: JobSpec; log: ProviderLog }
/** `words`: the message without the caller's texts. */
type OpenaiError = { message: string; words: string; type: string; code: string; param: string; stage: string }

/**
 * Returns the failure that an error names when it is more specific than the status. The text of OpenAI is logged for the operator.
 * Compatible servers leave out fields, above all the codes, so the text is checked too.
 */
export function openaiFailure(error: Json | undefined, { status, spec, log }: FailureContext): Refused | undefined {
  if (error === undefined) return undefined
  const known = errorOf(error, spec)
  const { code, type, param, words } = known
  // Some errors repeat the invalid key.
  log.warn({ status, code, type, param, words: status === 401 || status === 403 ? '' : words }, 'OpenAI refused the work')
  const failure =
    (status === 401 || status === 429 ? undefined : contentFailure(known, spec)) ??
    (meanings.get(code) ?? meanings.get(type))?.(spec) ??
    lengthFailure(known, spec) ??
    paramFailure(known, spec)
  return failure && { kind: 'failed', failure }
}

/** True when OpenAI or a compatible server wrote the error. Errors of a gateway have no `type` and `code`. */
export function isOpenaiError(error: Json | undefined): boolean {
  return getTextAtPath(error, 'message') !== undefined && (getTextAtPath(error, 'type') ?? getTextAtPath(error, 'code')) !== undefined
}

function errorOf(error: Json, spec: JobSpec): OpenaiError {
  const text = (at: string) => getTextAtPath(error, at) ?? ''
  const message = typeof error === 'string' ? error : text('message')
  const words = redactVendorText(message, spec)
  return {
    message,
    words,
    type: text('type'),
    code: text('code'),
    param: text('param'),
    stage: text('moderation_details.moderation_stage'),
  }
}

const contentCodes = new Set(['moderation_blocked', 'content_policy_violation', 'image_content_policy_violation', 'content_filter'])
const contentWords = /safety system|content policy|usage polic|moderation|flagged as|not safe for work|\bnsfw\b/i

/** Returns which side was refused: the result, else the inputs when code or message name them, else the prompt. */
function contentFailure({ message, code, type, stage }: OpenaiError, { inputs }: JobSpec): Failure | undefined {
  if (!contentCodes.has(code) && !contentCodes.has(type) && !contentWords.test(message)) return undefined
  if (stage === 'output') return { code: 'content_policy', reason: 'output_rejected' }
  const namesImage = code === 'image_content_policy_violation' || /\b(?:input|uploaded|provided|reference) images?\b/i.test(message)
  const isOfInput = inputs.length > 0 && namesImage
  return { code: 'content_policy', reason: isOfInput ? 'input_rejected' : 'prompt_rejected' }
}

const closed: Failure = { code: 'authentication', reason: 'provider_access_closed' }
const unreadable: Failure = { code: 'image_format', reason: 'image_unreadable' }

/** By `code`, or by `type` without one. */
const meanings = new Map<string, (spec: JobSpec) => Failure>([
  ['insufficient_quota', () => closed],
  ['billing_hard_limit_reached', () => closed],
  ['billing_not_active', () => closed],
  ['account_deactivated', () => closed],
  ['invalid_api_key', () => closed],
  ['model_not_found', () => ({ code: 'model_unavailable', reason: 'model_offline' })],
  ['invalid_image', () => unreadable],
  ['invalid_image_file', () => unreadable],
  ['invalid_image_format', () => unreadable],
  ['invalid_image_mode', () => unreadable],
  ['invalid_base64_image', () => unreadable],
  ['image_parse_error', () => unreadable],
  ['unsupported_image', () => unreadable],
  ['unsupported_image_media_type', () => unreadable],
  ['empty_image_file', () => ({ code: 'file_size', reason: 'file_too_small' })],
  ['image_too_small', () => ({ code: 'image_size', reason: 'image_too_small' })],
  ['image_too_large', imageTooLarge],
  ['image_file_too_large', fileTooLarge],
  ['file_too_large', fileTooLarge],
])

function fileTooLarge({ inputs, limits }: JobSpec): Failure {
  const { maxBytes } = limits.images
  const details = { actualBytes: Math.max(0, ...inputs.map(({ sizeBytes }) => sizeBytes)), ...(maxBytes === undefined ? {} : { maxBytes }) }
  return { code: 'file_size', reason: 'file_too_large', details }
}

function imageTooLarge({ inputs }: JobSpec): Failure {
  const [largest] = inputs.toSorted((one, other) => pixels(other) - pixels(one))
  const { width = null, height = null } = largest ?? {}
  return { code: 'image_size', reason: 'image_too_large', ...(width !== null && height !== null ? { details: { width, height } } : {}) }
}

function pixels({ width, height }: { width: number | null; height: number | null }): number {
  return (width ?? 0) * (height ?? 0)
}

const tooLong = /too[_ ]long|above_max_length|at most [\d,]+ characters|maximum (?:context )?length|exceeds? the (?:maximum|limit)/i
/** The field of a speech error: `'loc': ('body', 'input')`. */
const place = /'loc': [([]'body', '(\w+)'/
const namesPrompt = /['"`](?:input|prompt)['"`]|\b(?:input|prompt|text)\b/i

/** A prompt that is too long. Speech errors have neither code nor field, so the text is checked. */
function lengthFailure({ code, param, words }: OpenaiError, { prompt }: JobSpec): Failure | undefined {
  const field = param === '' ? place.exec(words)?.[1] : param
  const isOfPrompt = field === undefined ? namesPrompt.test(words) : field === 'prompt' || field === 'input'
  const isTooLong = code === 'string_above_max_length' || tooLong.test(words)
  return isOfPrompt && isTooLong ? vendorPromptTooLong(prompt, words) : undefined
}

/** The failure by the named field. Without a field the status decides. */
function paramFailure({ type, param }: OpenaiError, spec: JobSpec): Failure | undefined {
  if (type !== 'invalid_request_error' || param === '') return undefined
  if (param === 'prompt' || param === 'input') return { code: 'prompt_validation', reason: 'prompt_failed' }
  if (spec.inputs.length > 0 && /^(?:image|mask)\b/.test(param)) return { code: 'parameter_validation', reason: 'input_rejected_by_model' }
  if (param === 'model') return { code: 'model_unavailable', reason: 'model_offline' }
  return { code: 'parameter_validation', reason: 'parameter_rejected' }
}
