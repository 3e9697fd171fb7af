import type { Stage } from './attack.ts'

type Sent = { method?: string; key?: string | undefined; session?: string | undefined; headers?: Record<string, string> }

/** The bytes of a request, with its length unless a header says otherwise. */
export function requestOf({ origin }: Pick<Stage, 'origin'>, path: string, sent: Sent & { body?: string | Buffer } = {}): Buffer {
  const { body } = sent
  const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const head = headOf({ origin }, path, { ...sent, headers: { ...length, ...sent.headers } })
  return body === undefined ? Buffer.from(head) : Buffer.concat([Buffer.from(head), Buffer.from(body as string)])
}

/** The head of a request, including its empty line. A session sends the origin with its cookie, like a page. */
export function headOf({ origin }: Pick<Stage, 'origin'>, path: string, { method = 'GET', key, session, headers = {} }: Sent): string {
  const all: Record<string, string> = {
    host: new URL(origin).host,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(session === undefined ? {} : { cookie: session, origin }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export const json = { 'content-type': 'application/json' }
