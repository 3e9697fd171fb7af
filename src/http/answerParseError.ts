import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { DocUrls } from '../contract/docUrl.ts'
import { newId } from '../contract/ids.ts'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import { invalidRequest } from '../contract/refusals/refusals.ts'

/** How long a client may leave its side open after it was told, so that it can still read the answer. */
const lingerMs = 1000

/**
 * Answers what Node's own HTTP parser will not take in the shape of every refusal, then closes the connection. `response` is the last
 * that was begun on it: one whose request had arrived as a whole is given first, and nothing is written into one under way.
 * Contract: docs/contract.md#unknown-routes.
 */
export function answerParseError(
  error: Error & { code?: string },
  socket: Socket,
  { docUrls, headers, response }: { docUrls: DocUrls; headers: Record<string, string>; response: ServerResponse | undefined },
): void {
  const isAnswering = response !== undefined && !response.writableFinished && !response.destroyed
  if (isAnswering && response.req.complete) {
    // Whatever else comes is for nobody, and would keep a connection alive on which the answer is not read.
    socket.pause()
    response.once('close', () => socket.destroy())
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable || (isAnswering && response.headersSent)) {
    socket.destroy()
    return
  }
  socket.end(rejection(error, headers, docUrls))
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function rejection(error: { code?: string }, headers: Record<string, string>, docUrls: DocUrls): string {
  const message = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : 'This is not HTTP that can be read.'
  const body = JSON.stringify(presentRefusal(invalidRequest({ in: 'header', path: [], code: 'bad_format', message }), docUrls))
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': newId('req'),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
