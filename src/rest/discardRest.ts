import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

const bytesMax = 64 * 1024 * 1024
const secondsMax = 20

/**
 * When an answer goes out before its request has come in whole, goes on reading and discards what comes: a client that is still sending
 * would otherwise lose the connection, and with it the answer. One that does not come to an end is cut off.
 */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
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
