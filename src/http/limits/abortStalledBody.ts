import { IncomingMessage } from 'node:http'

/** A body that comes more slowly than this is not on its way: a second of the slowest lines that anybody still has brings more. */
const bytesPerSecondMin = 1024

/**
 * Looks at a request every `stallMs` until its body is there, and calls `cut` when the client owed some of it and sent next to none.
 * However long a body takes in all, one that comes on is waited for.
 */
export function abortStalledBody(request: IncomingMessage, { stallMs, cut }: { stallMs: number; cut(): void }): void {
  refuseTinyChunks(request)
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

/** A body in so many chunks that hold so little on average is no client's: each chunk costs as much as a large one. */
const tinyChunksMax = 1_000
const chunkBytesMin = 64

/**
 * Cuts the connection of a request whose body comes in very many tiny chunks, also while what is left of it is discarded: limits of size
 * and rate count bytes, and one byte in a chunk costs as much time as 16 KiB.
 */
function refuseTinyChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined || !(request instanceof IncomingMessage)) return
  const push = request.push.bind(request)
  let chunks = 0
  let bytes = 0
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    chunks += 1
    bytes += chunk?.length ?? 0
    if (chunks > tinyChunksMax && bytes < chunks * chunkBytesMin) {
      request.socket.destroy()
      return false
    }
    return push(chunk, encoding)
  }
}

/** As the parser says it of a request that takes too long as a whole. */
export function stalledBodyError(): Error {
  return Object.assign(new Error('the body does not come on'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
