import type { ExecutionResult, GraphQLError } from 'graphql'
import type { RefusalCode } from '../contract/refusals/refusals.ts'
import { invariant } from '../domain/invariant.ts'
import { refusalHeaders } from '../transport/refusalHeaders.ts'
import { type ErrorContext, presentError } from './presentError.ts'

export type PresentedResult = {
  status: number
  headers: Record<string, string>
  body: { data?: unknown; errors?: GraphQLError[] }
}

/**
 * What is sent of a result. A request that could not be run, having no data, takes the status of its refusal: 400 for a document or for
 * variables, whatever media type the client prefers. One that ran is an answer, 200, although fields in it may be refused; not so when
 * the caller is nobody or we failed. A link that cannot be fetched, 502 over REST, is a refused field.
 */
export function presentResult(result: unknown, request: ErrorContext): PresentedResult {
  invariant(isResult(result), 'no list and no stream of results is ever asked for')
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
  }
}

const ourFailures: ReadonlySet<RefusalCode> = new Set(['internal_error', 'queue_unavailable', 'service_unavailable'])

function isResult(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && ('data' in result || 'errors' in result)
}
