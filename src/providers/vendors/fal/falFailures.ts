import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { getObjectAtPath, getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { statusFailure } from '../../connector/statusFailure.ts'
import type { VendorAnswer } from '../../connector/vendorClient.ts'
import { type FalDetail, type FalRequestContext, mentionsInput, modelFailure } from './falModelFailures.ts'

/** An error of fal. `errorType`: of its infrastructure; `details`: of the model. */
export type FalError = { status: number; errorType: string | undefined; details: FalDetail[]; words: string }

/** Parses an error answer. `known` is true when fal or the model wrote it, and not a proxy. */
export function falError({ status, headers, body }: VendorAnswer): FalError & { known: boolean } {
  const details = getPath(body, 'detail.*').map(detailOf)
  const type = (getTextAtPath(body, 'error_type') ?? headers['x-fal-error-type']) || undefined
  const words =
    details.length > 0
      ? details.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
      : (getTextAtPath(body, 'detail') ?? getTextAtPath(body, 'error') ?? '')
  return { status, errorType: type, details, words, known: details.length > 0 || type !== undefined }
}

/** True when fal or the model wrote the answer, and not a proxy. */
export function isFalError(answer: VendorAnswer): boolean {
  return falError(answer).known || getTextAtPath(answer.body, 'detail') !== undefined
}

/** The failure for an error. `undefined`: the work was cancelled. */
export function falFailure(error: FalError, request: FalRequestContext): Failure | undefined {
  if (error.errorType !== undefined && stopped.has(error.errorType)) return undefined
  const [first] = error.details
  // A model that refuses the content often reports more errors of the same field.
  const contentDetails = error.details.filter(({ type }) => type === contentType)
  const detail = contentDetails.find(mentionsInput) ?? contentDetails[0] ?? first
  if (!detail && [400, 422].includes(error.status) && contentWords.test(error.words)) {
    return modelFailure({ type: contentType, loc: [], msg: error.words, ctx: {} }, { ...request, status: error.status })
  }
  if (detail) return modelFailure(detail, { ...request, status: error.status })
  const byType = error.errorType === undefined ? undefined : machineFailures[error.errorType]
  return byType ?? statusFailure(error.status)
}

const contentType = 'content_policy_violation'
const contentWords = /content (?:policy|moderation|checker)|\bnsfw\b|flagged|safety (?:system|filter|checker)/i
const stopped: ReadonlySet<string> = new Set(['client_cancelled', 'client_disconnected'])

const failed: Failure = { code: 'provider_error', reason: 'provider_failed' }
const full: Failure = { code: 'model_unavailable', reason: 'model_at_capacity' }

const machineFailures: Partial<Record<string, Failure>> = {
  request_timeout: { code: 'timeout', reason: 'model_timeout' },
  startup_timeout: full,
  runner_scheduling_failure: full,
  runner_connection_timeout: failed,
  runner_disconnected: failed,
  runner_connection_refused: failed,
  runner_connection_error: failed,
  runner_incomplete_response: failed,
  runner_server_error: failed,
  bad_request: { code: 'parameter_validation', reason: 'parameter_rejected' },
  internal_error: failed,
}

function detailOf(item: Json): FalDetail {
  const loc = getPath(item, 'loc.*').map((step) => (typeof step === 'number' ? String(step) : typeof step === 'string' ? step : ''))
  return { type: getTextAtPath(item, 'type') ?? '', loc, msg: getTextAtPath(item, 'msg') ?? '', ctx: getObjectAtPath(item, 'ctx') ?? {} }
}
