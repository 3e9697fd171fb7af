import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

const bytesMax = 64 * 1024 * 1024
const secondsMax = 20

/**
 * When an answer goes out before its request has come in whole, goes on reading and discards what comes: a client that is still sending
 * would otherwise lose the connection, and with it the answer. One that does not come to an end is cut off. The answer must not have
 * asked for the connection to be closed, see {@link isLingering}; what the client itself asked for is done in the end.
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

/** True for a request that is still coming in, whose connection has to outlive its answer. */
export function isLingering(request: IncomingMessage): boolean {
  return !request.complete && announcesBody(request)
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
