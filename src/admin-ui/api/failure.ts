import type { CombinedError } from 'urql'

/** An error as shown to a person: the message, and the request id to find it in the logs. */
export type Failure = {
  /** The code of the refusal; `unreachable` without an answer; `other_version` if the process does not have what the page asks for. */
  code: string
  message: string
  requestId: string | undefined
  /** True when the same request may succeed later. */
  retryable: boolean
  details: Record<string, unknown>
}

/** Converts an error of urql to a {@link Failure}. */
export function failureOf(error: CombinedError): Failure {
  const requestId = requestIdOf(error.response)
  const [refused] = error.graphQLErrors
  if (refused === undefined) return { ...unreachable, requestId }
  if (unknownName.test(refused.message)) return { ...otherVersion, requestId }
  const { code, retryable, details } = refused.extensions
  return {
    code: typeof code === 'string' ? code : 'internal_error',
    message: issueOf(details) ?? refused.message,
    requestId,
    retryable: retryable === true,
    details: isObject(details) ? details : {},
  }
}

/** Messages of GraphQL about names of another release. During an update, pages and processes of two releases run beside each other. */
const unknownName =
  /^(Cannot query field|Unknown (argument|type)|(Variable .*: )?(Value "\w+" does not exist in|Expected .* not to include unknown field)) "/

/** The failure of requests that another release made. The process has not carried them out. */
const otherVersion: Failure = {
  code: 'other_version',
  message: 'Atelier is being updated, and this page is of another version. Reload the page.',
  requestId: undefined,
  retryable: true,
  details: {},
}

/** The failure of requests without an answer. */
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

/** Converts a refusal outside of GraphQL to a {@link Failure}. */
export async function failureOfAnswer(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => undefined)) as { error?: Partial<Failure> } | undefined
  const {
    code = 'internal_error',
    message = 'The server could not do this. Try again in a moment.',
    retryable,
    details,
  } = body?.error ?? {}
  return {
    code,
    message: issueOf(details) ?? message,
    requestId: requestIdOf(response),
    retryable: retryable === true,
    details: isObject(details) ? details : {},
  }
}

/** The message about a field is more specific than that about the request. */
function issueOf(details: unknown): string | undefined {
  if (!isObject(details) || !Array.isArray(details['issues'])) return undefined
  const messages = details['issues'].map((issue: unknown) => (isObject(issue) ? issue['message'] : undefined))
  return messages.filter((each) => typeof each === 'string').join(' ') || undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
