import type { ExecutionResult, GraphQLError } from 'graphql'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import { invariant } from '../domain/invariant.ts'
import { refusalHeaders } from '../transport/refusalHeaders.ts'
import { type ErrorContext, presentError } from './presentError.ts'

export type PresentedResult = {
  status: number
  headers: Record<string, string>
  body: { data?: unknown; errors?: GraphQLError[] }
  /** The code of the first error. */
  refused?: RefusalCode | undefined
}

/**
 * The response of a result. A request that was not executed has the status of its refusal, for example 400 for an invalid document, with any
 * media type. An executed request has 200, even with refused fields; except for unauthenticated callers (401) and failures of the service
 * (5xx). A link that cannot be fetched, 502 over REST, is a refused field.
 */
export function presentResult(result: unknown, request: ErrorContext): PresentedResult {
  invariant(isResult(result), 'batching and incremental delivery are disabled')
  if (!result.errors) return { status: 200, headers: {}, body: { data: result.data } }
  const presented = result.errors.map((error) => presentError(error, request))
  const hasRun = 'data' in result
  const wholes = presented.filter(({ refusal }) => !hasRun || refusal.http === 401 || ourFailures.has(refusal.code))
  const worst = wholes.map(({ refusal }) => refusal).toSorted((left, right) => right.http - left.http)[0]
  const errors = presented.map(({ error }) => error)
  return {
    status: worst?.http ?? 200,
    headers: worst ? refusalHeaders(worst) : {},
    body: hasRun ? { errors, data: result.data } : { errors },
    refused: presented[0]?.refusal.code,
  }
}

const ourFailures: ReadonlySet<RefusalCode> = new Set(['internal_error', 'queue_unavailable', 'service_unavailable'])

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && ('data' in result || 'errors' in result)
}
