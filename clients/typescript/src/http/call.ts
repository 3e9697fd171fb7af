import { hasCode } from '../errors/hasCode.ts'
import { type Operations, routes } from '../openapi.ts'
import { readAnswer } from './answer.ts'
import { type Connection, exchange } from './connection.ts'
import { ResponsePromise, type WithResponse } from './responsePromise.ts'
import { withRetries } from './retry.ts'

/** Options of every call. */
export type CallOptions = {
  /** The maximum number of attempts, including the first one. */
  attemptsMax?: number | undefined
  /** More headers of the request. */
  headers?: Readonly<Record<string, string>> | undefined
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
  /** Headers that the operation defines; they win over `headers`. */
  ownHeaders?: Operations[Id]['headers']
  body?: Operations[Id]['body']
  /** Replaces `body`. */
  makeBody?: () => Promise<MadeBody>
  /** True when a repeat is harmless although the outcome of the first request is unknown. */
  repeatable?: boolean
  /** The time limit of one attempt. */
  attemptSeconds?: number
}

/** The default time limit of one attempt. */
export const defaultAttemptSeconds = 30

/** Calls one operation of the API, with retries when they are safe. Throws AtelierError. */
export function call<Id extends OperationId>(
  connection: Connection,
  id: Id,
  input: CallInput<Id>,
): ResponsePromise<Operations[Id]['answer']> {
  return new ResponsePromise(callWithResponse(connection, id, input))
}

/** Like {@link call}, for calls that do more than one thing. */
export async function callWithResponse<Id extends OperationId>(
  connection: Connection,
  id: Id,
  input: CallInput<Id>,
): Promise<WithResponse<Operations[Id]['answer']>> {
  const { method } = routes[id]
  const url = addressOf(connection, id, input)
  const json = input.body === undefined ? undefined : { body: JSON.stringify(input.body), headers: { 'Content-Type': 'application/json' } }
  const send = async (signal: AbortSignal): Promise<WithResponse<unknown>> => {
    const content: MadeBody | undefined = input.makeBody ? await input.makeBody() : json
    const headers = headersOf(connection, input.headers, { Accept: 'application/json', ...input.ownHeaders, ...content?.headers })
    const streamed = content?.body instanceof ReadableStream ? { duplex: 'half' as const } : {}
    const request = { url, method, headers, ...(content ? { body: content.body } : {}), ...streamed, redirect: 'manual' as const, signal }
    try {
      return await exchange(connection, request, async (response) => ({ data: await readAnswer(response), response }))
    } catch (error) {
      throw withAddress(error, connection)
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
  return answer as WithResponse<Operations[Id]['answer']>
}

/** The headers of a request. The caller's never replace the key or the headers of the operation. */
export function headersOf(connection: Connection, given: CallOptions['headers'], own: Record<string, string | undefined>): Headers {
  const headers = new Headers({ ...connection.headers, ...given })
  for (const [name, value] of Object.entries(own)) if (value !== undefined) headers.set(name, value)
  headers.set('Authorization', `Bearer ${connection.key}`)
  return headers
}

/** Adds the address to an error that a wrong address can have. */
function withAddress(error: unknown, { where }: Connection): unknown {
  const mayBeWrong = hasCode(error, 'not_found') || (hasCode(error, 'unexpected_answer') && error.status < 500)
  if (mayBeWrong) error.message += ` The client asked the service${where}. It takes the address of a service, with or without /api/v1.`
  return error
}

/** The URL of the operation. */
export function addressOf<Id extends OperationId>({ baseUrl }: Connection, id: Id, input: Pick<CallInput<Id>, 'path' | 'query'>): string {
  return baseUrl + filled(routes[id].path, input.path ?? {}) + queryText(input.query ?? {})
}

function filled(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

type QueryValue = string | number | boolean | undefined

/** An object becomes one parameter for each member, such as `metadata[project]`. */
function queryText(values: Record<string, QueryValue | Record<string, QueryValue>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]): [string, QueryValue][] =>
    typeof value === 'object' ? Object.entries(value).map(([member, inner]) => [`${name}[${member}]`, inner]) : [[name, value]],
  )
  const given = pairs.filter(([, value]) => value !== undefined).map(([name, value]): [string, string] => [name, String(value)])
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
