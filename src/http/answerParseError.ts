import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { DocUrls } from '../contract/docUrl.ts'
import { newId } from '../contract/ids.ts'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import { invalidRequest } from '../contract/refusals/refusals.ts'

/** How long the connection stays open after the response, so that the client can read it. */
const lingerMs = 1000

/**
 * Answers an error of Node's HTTP parser with a refusal, then closes the connection. `response` is the last response started on it: if its
 * request has arrived completely, that response is sent first. Never writes into a response that has started, nor a second one for a
 * request that was answered before its body had arrived.
 * Contract: docs/contract.md#unknown-routes.
 */
export function answerParseError(
  error: Error & { code?: string },
  socket: Socket,
  { docUrls, headers, response }: { docUrls: DocUrls; headers: Record<string, string>; response: ServerResponse | undefined },
): void {
  const isAnswering = response !== undefined && !response.writableFinished && !response.destroyed
  if (isAnswering && response.req.complete) {
    // Further bytes are ignored. Reading them would keep a connection open whose response is not read.
    socket.pause()
    response.once('close', () => socket.destroy())
    return
  }
  const isAnswered = response !== undefined && response.headersSent && !response.req.complete
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
    socket.destroy()
    return
  }
  socket.end(rejection(error, headers, docUrls))
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function rejection(error: { code?: string }, headers: Record<string, string>, docUrls: DocUrls): string {
  const message = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : 'The request is not valid HTTP.'
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
