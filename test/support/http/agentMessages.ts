import type { TestApp } from '../app.ts'

export type RawAnswer = {
  status: number
  headers: Record<string, string | undefined>
  /** The last received message. */
  message: { id?: unknown; result?: Record<string, unknown>; error?: { code: number | string; message: string } }
  text: string
}

type Sent = { key?: string | undefined; body?: unknown; revision?: string; headers?: Record<string, string> }

/** A JSON-RPC message. */
export function rpc(method: string, params: object = {}, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params }
}

/** The capabilities of a client of the newest revision that can ask its user. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}

/** Sends one raw body to `/mcp`, without a client. */
export async function sendToAgents({ fastify }: TestApp, { key, body, revision, headers = {} }: Sent): Promise<RawAnswer> {
  const response = await fastify.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(revision === undefined ? {} : { 'mcp-protocol-version': revision }),
      ...headers,
    },
    payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  const { payload: text } = response
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  const last = events.at(-1) ?? (text.startsWith('{') || text.startsWith('[') ? text : '{}')
  return { status: response.statusCode, headers: response.headers as RawAnswer['headers'], message: JSON.parse(last), text }
}
