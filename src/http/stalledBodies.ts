import { IncomingMessage } from 'node:http'

/** A body that comes more slowly than this is not on its way: a second of the slowest lines that anybody still has brings more. */
const bytesPerSecondMin = 1024

/**
 * Looks at a request every `stallMs` until its body is there, and calls `cut` when the client owed some of it and sent next to none.
 * However long a body takes in all, one that comes on is waited for.
 */
export function watchBody(request: IncomingMessage, { stallMs, cut }: { stallMs: number; cut(): void }): void {
  const { headers, socket } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  // What did not come from a socket is there already.
  if (!hasBody || !(request instanceof IncomingMessage)) return
  const bytesMin = (bytesPerSecondMin * stallMs) / 1000
  let bytesBefore = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const bytesCome = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    // What has come and is not read yet is for us to read first.
    if (bytesCome >= bytesMin || request.readableLength > 0) return
    clearInterval(timer)
    cut()
  }, stallMs).unref()
  request.once('close', () => clearInterval(timer))
}

/** As the parser says it of a request that takes too long as a whole. */
export function stalled(): Error {
  return Object.assign(new Error('the body does not come on'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
