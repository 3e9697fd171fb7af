import type { Socket } from 'node:net'
import { presentRefusal } from '../contract/refusal.ts'
import { newId } from '../domain/ids.ts'
import { invalidRequest } from '../domain/refusals.ts'

/**
 * Answers what Node's own HTTP parser will not take in the shape of every refusal, then closes the connection.
 * Contract: section 4, last row.
 */
export function answerRejected(error: Error & { code?: string }, socket: Socket, headers: Record<string, string>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const message = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : 'This is not HTTP that can be read.'
  const refusal = invalidRequest({ in: 'header', path: [], code: 'bad_format', message })
  const body = JSON.stringify(presentRefusal(refusal))
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': newId('req'),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
