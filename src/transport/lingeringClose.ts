import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

const bytesMax = 64 * 1024 * 1024
const secondsMax = 20

/**
 * After a response that is sent before its request has arrived completely, reads and discards the rest. Otherwise a client that still
 * sends would lose the connection and the response. An endless request is cut off. The response must not contain `Connection: close`, see
 * {@link isLingering}; if the client asked to close, the connection closes at the end.
 */
export function lingeringClose(request: IncomingMessage, response: ServerResponse): void {
  if (!announcesBody(request)) return
  const closes = /\bclose\b/i.test(request.headers.connection ?? '') || request.httpVersion === '1.0'
  response.once('finish', () => {
    if (closes) finished(request, () => request.socket.destroySoon())
    if (request.complete || request.destroyed) return
    let discardedBytes = 0
    const timer = setTimeout(() => request.destroy(), secondsMax * 1000)
    finished(request, () => clearTimeout(timer))
    request.on('data', (chunk: Buffer) => {
      discardedBytes += chunk.length
      if (discardedBytes > bytesMax) request.destroy()
    })
    request.resume()
  })
}

/** True for a request that has not arrived completely; its connection must stay open after the response. */
export function isLingering(request: IncomingMessage): boolean {
  return !request.complete && announcesBody(request)
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
