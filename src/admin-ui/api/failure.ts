import type { CombinedError } from 'urql'

/** What went wrong, as a person is told: what happened, and by which request it can be found in the logs. */
export type Failure = {
  /** The refusal's code; `unreachable` when no answer came. */
  code: string
  message: string
  requestId: string | undefined
  /** Whether the same may succeed later. */
  retryable: boolean
  details: Record<string, unknown>
}

/** Reads an error of urql as a {@link Failure}. */
export function failureOf(error: CombinedError): Failure {
  const requestId = requestIdOf(error.response)
  const [refused] = error.graphQLErrors
  if (refused === undefined) return { ...unreachable, requestId }
  const { code, retryable, details } = refused.extensions
  return {
    code: typeof code === 'string' ? code : 'internal_error',
    message: issueOf(details) ?? refused.message,
    requestId,
    retryable: retryable === true,
    details: isObject(details) ? details : {},
  }
}

/** For requests that got no answer at all. */
export const unreachable: Failure = {
  code: 'unreachable',
  message: 'The server cannot be reached. Check your connection and try again.',
  requestId: undefined,
  retryable: true,
  details: {},
}

export function requestIdOf(response: unknown): string | undefined {
  return response instanceof Response ? (response.headers.get('X-Request-Id') ?? undefined) : undefined
}

/** The words about the one field that is wrong say more than those about the request. */
function issueOf(details: unknown): string | undefined {
  if (!isObject(details) || !Array.isArray(details['issues'])) return undefined
  const words = details['issues'].map((issue: unknown) => (isObject(issue) ? issue['message'] : undefined))
  return words.filter((each) => typeof each === 'string').join(' ') || undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
