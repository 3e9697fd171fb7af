import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { getNumberAtPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { vendorPromptTooLong } from '../../connector/promptTooLong.ts'
import { redactVendorText } from '../../connector/redactVendorText.ts'
import { submitRefusal } from '../../connector/statusFailure.ts'
import type { VendorAnswer } from '../../connector/vendorClient.ts'
import type { JobSpec, ProviderLog, Submitted } from '../../provider.ts'

type Refused = Extract<Submitted, { kind: 'busy' | 'failed' }>

const closed: Failure = { code: 'authentication', reason: 'provider_access_closed' }
const unclassified: Failure = { code: 'internal_error', reason: 'unclassified' }

/** The refusal for an error answer to a submit; `undefined` for 2xx. The text of Google is logged for the operator. */
export function googleRefusal(answer: VendorAnswer, spec: JobSpec, { now, log }: { now: Date; log: ProviderLog }): Refused | undefined {
  const { status, words, reason } = readGoogleError(answer.body)
  const refused = submitRefusal(answer, { now, isOwnError: isGoogleStatus(status) })
  if (!refused) return undefined
  log.warn({ status: answer.status, name: status, reason, words: redactVendorText(words, spec) }, 'Google refused the work')
  if (refused.kind === 'busy') return isQuotaExhausted(words) ? { kind: 'failed', failure: closed } : withRetryDelay(refused, answer.body)
  return { kind: 'failed', failure: errorFailure({ status, words, reason }, spec) ?? refused.failure }
}

/** True when Google wrote the error: its errors have a gRPC status, such as `UNAVAILABLE`. */
function isGoogleStatus(status: string): boolean {
  return /^[A-Z][A-Z_]+$/.test(status)
}

type GoogleErrorInfo = { status: string; words: string; reason: string }

function readGoogleError(body: Json | undefined): GoogleErrorInfo {
  const text = (at: string) => getTextAtPath(body, at) ?? ''
  return { status: text('error.status'), words: text('error.message'), reason: text('error.details.*.reason') }
}

/** Waiting does not help: the plan does not include the model, or the account has no money left. */
function isQuotaExhausted(words: string): boolean {
  return /\blimit: 0\b|credits are depleted|prepay|spend(?:ing)? (?:cap|limit)/i.test(words)
}

/** Uses `retryDelay` of the details, such as "34s", when there is no header. */
function withRetryDelay(refused: Refused, body: Json | undefined): Refused {
  if (refused.kind === 'busy' && refused.retryAfterMs !== undefined) return refused
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(getTextAtPath(body, 'error.details.*.retryDelay') ?? '')?.[1]
  return seconds === undefined ? refused : { kind: 'busy', retryAfterMs: Math.min(Number(seconds) * 1000, 3_600_000) }
}

const policyWords = /responsible ai|usage guidelines|violat|safety|prohibited|sensitive/i

/** The failure that an error names, for a submit or for an ended operation. */
function errorFailure({ status, words, reason }: GoogleErrorInfo, spec: JobSpec): Failure | undefined {
  const { inputs } = spec
  if (reason === 'API_KEY_INVALID' || ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'FAILED_PRECONDITION'].includes(status)) return closed
  if (status === 'RESOURCE_EXHAUSTED' || status === 'UNAVAILABLE') return { code: 'model_unavailable', reason: 'model_at_capacity' }
  if (status === 'NOT_FOUND') return { code: 'model_unavailable', reason: 'model_offline' }
  if (status === 'DEADLINE_EXCEEDED') return { code: 'timeout', reason: 'model_timeout' }
  if (status === 'INTERNAL') return { code: 'provider_error', reason: 'provider_failed' }
  if (status !== 'INVALID_ARGUMENT') return undefined
  if (policyWords.test(words)) return { code: 'content_policy', reason: refusedSide(words, inputs.length > 0) }
  if (/token count.*exceeds|prompt is too long/i.test(words)) return vendorPromptTooLong(spec.prompt, redactVendorText(words, spec))
  if (inputs.length > 0 && /image/i.test(words)) return { code: 'image_format', reason: 'image_unreadable' }
  return { code: 'parameter_validation', reason: 'parameter_rejected' }
}

/** The refused side. An input can be refused only when there is one. */
function refusedSide(words: string, hasInputs: boolean): 'input_rejected' | 'prompt_rejected' {
  return hasInputs && /\b(?:input|provided|uploaded) (?:image|video)/i.test(words) ? 'input_rejected' : 'prompt_rejected'
}

const statusNames: Record<number, string> = {
  3: 'INVALID_ARGUMENT',
  4: 'DEADLINE_EXCEEDED',
  5: 'NOT_FOUND',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
}

/** The failure of an ended operation. Its error code is a number. */
export function operationFailure(error: Json, spec: JobSpec, log: ProviderLog): Failure {
  const { words } = readGoogleError({ error })
  const code = getNumberAtPath(error, 'code')
  log.warn({ code, words: redactVendorText(words, spec) }, 'the work failed at Google')
  return errorFailure({ status: statusNames[code ?? 0] ?? '', words, reason: '' }, spec) ?? unclassified
}

/** The failure when Google withheld the finished video, by the text of the filter. */
export function filteredFailure(reasons: readonly Json[], spec: JobSpec, log: ProviderLog): Failure {
  const words = reasons.filter((reason) => typeof reason === 'string').join(' ')
  log.warn({ words: redactVendorText(words, spec) }, 'Google withheld the output')
  return {
    code: 'content_policy',
    reason: refusedSide(words, spec.inputs.length > 0) === 'input_rejected' ? 'input_rejected' : 'output_rejected',
  }
}
