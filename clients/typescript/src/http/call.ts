import { readAnswer } from './answer.ts'
import { type Connection, exchange } from './connection.ts'
import { type Operations, routes } from './openapi.ts'
import { withRetries } from './retry.ts'

/** Options of every call. */
export type CallOptions = {
  /** Aborts the call with the reason of the signal, also between two attempts. */
  signal?: AbortSignal | undefined
  /** The time limit of the call with all attempts. */
  timeoutSeconds?: number | undefined
}

export type OperationId = keyof Operations

/** A request body that is not JSON. Made for each attempt, and released after it. */
export type MadeBody = { body: NonNullable<RequestInit['body']>; headers?: Record<string, string>; release?(): void }

export type CallInput<Id extends OperationId> = CallOptions & {
  path?: Operations[Id]['path']
  query?: Operations[Id]['query']
  headers?: Operations[Id]['headers']
  body?: Operations[Id]['body']
  /** Replaces `body`. */
  makeBody?: () => Promise<MadeBody>
  /** True when a repeat is harmless although the outcome of the first request is unknown. */
  repeatable?: boolean
  attemptsMax?: number
  /** The time limit of one attempt. */
  attemptSeconds?: number
}

/** The default time limit of one attempt. */
export const defaultAttemptSeconds = 30

/** Calls one operation of the API, with retries when they are safe. Throws AtelierError. */
export async function call<Id extends OperationId>(
  connection: Connection,
  id: Id,
  input: CallInput<Id>,
): Promise<Operations[Id]['answer']> {
  const { method } = routes[id]
  const url = addressOf(connection, id, input)
  const json = input.body === undefined ? undefined : { body: JSON.stringify(input.body), headers: { 'Content-Type': 'application/json' } }
  const send = async (signal: AbortSignal): Promise<unknown> => {
    const content: MadeBody | undefined = input.makeBody ? await input.makeBody() : json
    const headers = { Accept: 'application/json', Authorization: `Bearer ${connection.key}`, ...input.headers, ...content?.headers }
    const streamed = content?.body instanceof ReadableStream ? { duplex: 'half' as const } : {}
    const request = { url, method, headers, ...(content ? { body: content.body } : {}), ...streamed, redirect: 'manual' as const, signal }
    try {
      return await exchange(connection, request, readAnswer)
    } finally {
      content?.release?.()
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

/** The URL of the operation. */
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
