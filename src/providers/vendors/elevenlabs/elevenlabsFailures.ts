import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { vendorPromptTooLong } from '../../connector/promptTooLong.ts'
import { redactVendorText } from '../../connector/redactVendorText.ts'
import type { JobSpec, ProviderLog, Submitted } from '../../provider.ts'

type Refused = Extract<Submitted, { kind: 'busy' | 'failed' }>
type FailureContext = { status: number; spec: JobSpec; log: ProviderLog }

/**
 * Returns the failure that `detail` names when it is more specific than the status. The text of ElevenLabs is logged for the operator.
 */
export function elevenlabsFailure(detail: Json | undefined, { status, spec, log }: FailureContext): Refused | undefined {
  if (detail === undefined || detail === null) return undefined
  const codes = ['status', 'code', 'type'].flatMap((at) => getTextAtPath(detail, at) ?? [])
  const words = getTextAtPath(detail, 'message') ?? getTextAtPath(detail, '*.msg') ?? (typeof detail === 'string' ? detail : '')
  // Some errors repeat the invalid key.
  const ownWords = redactVendorText(words, spec)
  log.warn({ status, codes, words: status === 401 ? '' : ownWords }, 'ElevenLabs refused the work')
  const meaning = codes.map((code) => meanings.get(code)).find((meaning) => meaning !== undefined)
  const failure =
    meaning?.(spec, ownWords) ??
    fieldFailure(detail, spec, ownWords) ??
    (contentStatuses.has(status) && contentWords.test(words) ? rejected : undefined)
  return failure && { kind: 'failed', failure }
}

/** True when ElevenLabs wrote `detail`: its errors have a `status`, or in newer versions `code` and `type`. */
export function isElevenlabsError(detail: Json | undefined): boolean {
  return ['status', 'code', 'type'].some((at) => getTextAtPath(detail, at) !== undefined)
}

const rejected: Failure = { code: 'content_policy', reason: 'prompt_rejected' }
const closed: Failure = { code: 'authentication', reason: 'provider_access_closed' }
const offline: Failure = { code: 'model_unavailable', reason: 'model_offline' }
const parameter: Failure = { code: 'parameter_validation', reason: 'parameter_rejected' }
/** Statuses whose text may be about content. With other statuses it is about the account. */
const contentStatuses = new Set([400, 422, 451])
const contentWords = /terms of service|content policy|moderat|violat|copyright/i

const meanings = new Map<string, (spec: JobSpec, words: string) => Failure>([
  ['content_against_policy', () => rejected],
  ['moderation_blocked', () => rejected],
  ['text_blocked_by_moderation', () => rejected],
  ['bad_prompt', () => rejected],
  ['max_character_limit_exceeded', tooLong],
  ['text_too_long', tooLong],
  ['text_too_short', () => ({ code: 'prompt_validation', reason: 'prompt_failed' })],
  ['empty_text', () => ({ code: 'prompt_validation', reason: 'prompt_failed' })],
  ['invalid_text', () => ({ code: 'prompt_validation', reason: 'prompt_failed' })],
  ['voice_not_found', () => parameter],
  ['invalid_voice_settings', () => parameter],
  ['voice_access_denied', () => parameter],
  // A failure of this request, not of the account: one caller's format must not lock the vendor for all.
  ['output_format_not_allowed', () => parameter],
  ['model_not_found', () => offline],
  ['model_deprecated', () => offline],
  ['quota_exceeded', () => closed],
  ['invalid_api_key', () => closed],
  ['missing_permissions', () => closed],
  ['payment_required', () => closed],
  ['insufficient_credits', () => closed],
  ['subscription_required', () => closed],
  ['detected_unusual_activity', () => closed],
])

function tooLong({ prompt }: JobSpec, words: string): Failure {
  return vendorPromptTooLong(prompt, words)
}

/** The failure of a request that does not fit its schema, by the first named field. */
function fieldFailure(detail: Json, spec: JobSpec, words: string): Failure | undefined {
  const [field] = getPath(detail, '0.loc').flatMap((loc) => (Array.isArray(loc) ? loc.filter((step) => step !== 'body') : []))
  if (field === undefined) return undefined
  if (field !== 'text' && field !== 'prompt') return parameter
  const isTooLong = getTextAtPath(detail, '0.type') === 'string_too_long'
  return isTooLong ? tooLong(spec, words) : { code: 'prompt_validation', reason: 'prompt_failed' }
}
