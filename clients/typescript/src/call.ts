import { readAnswer } from './answer.ts'
import { type Connection, exchange } from './connection.ts'
import { type Operations, routes } from './openapi.ts'
import { withRetries } from './retry.ts'

/** What every call may be given beside what it asks for. */
export type CallOptions = {
  /** Ends the call, also between two attempts, with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How many seconds the call may take with all its attempts. */
  timeoutSeconds?: number | undefined
}

export type OperationId = keyof Operations

/** The content of a request that is not JSON; made anew for each attempt, and released after it. */
export type MadeBody = { body: NonNullable<RequestInit['body']>; headers?: Record<string, string>; release?(): void }

export type CallInput<Id extends OperationId> = CallOptions & {
  path?: Operations[Id]['path']
  query?: Operations[Id]['query']
  headers?: Operations[Id]['headers']
  body?: Operations[Id]['body']
  /** Instead of `body`. */
  makeBody?: () => Promise<MadeBody>
  /** Whether a second request does no harm when nobody knows what became of the first. */
  repeatable?: boolean
  attemptsMax?: number
  /** How long one attempt may take. */
  attemptSeconds?: number
}

/** How long one attempt may take where nobody says. */
export const defaultAttemptSeconds = 30

/** Runs one operation of the API, with as many attempts as are safe and worth while. Throws AtelierError. */
export async function call<Id extends OperationId>(
  connection: Connection,
  id: Id,
  input: CallInput<Id>,
): Promise<Operations[Id]['answer']> {
  const { method } = routes[id]
  const url = addressOf(connection, id, input)
  const json = input.body === undefined ? undefined : { body: JSON.stringify(input.body), headers: { 'Content-Type': 'application/json' } }
  const send = async (signal: AbortSignal): Promise<unknown> => {
    const made: MadeBody | undefined = input.makeBody ? await input.makeBody() : json
    const headers = { Accept: 'application/json', Authorization: `Bearer ${connection.key}`, ...input.headers, ...made?.headers }
    const streamed = made?.body instanceof ReadableStream ? { duplex: 'half' as const } : {}
    const request = { url, method, headers, ...(made ? { body: made.body } : {}), ...streamed, redirect: 'manual' as const, signal }
    try {
      return await exchange(connection, request, readAnswer)
    } finally {
      made?.release?.()
    }
  }
  const answer = await withRetries(send, {
    timing: connection.timing,
    attemptsMax: input.attemptsMax ?? connection.attemptsMax,
    totalSeconds: input.timeoutSeconds ?? connection.timeoutSeconds,
    attemptSeconds: input.attemptSeconds ?? defaultAttemptSeconds,
    repeatable: input.repeatable ?? method === 'GET',
    signal: input.signal,
  })
  return answer as Operations[Id]['answer']
}

/** Where the operation is asked for. */
export function addressOf<Id extends OperationId>({ baseUrl }: Connection, id: Id, input: Pick<CallInput<Id>, 'path' | 'query'>): string {
  return baseUrl + filled(routes[id].path, input.path ?? {}) + queryText(input.query ?? {})
}

function filled(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function queryText(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString()}`
}
