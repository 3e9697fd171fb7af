import { IncomingMessage } from 'node:http'

/** A slower body counts as stalled. Even very slow connections deliver more. */
const bytesPerSecondMin = 1024

/**
 * Checks a request every `stallMs` until its body has arrived, and calls `cut` when the client sent almost nothing in that time. A body
 * that keeps arriving is never cut, however long it takes.
 */
export function abortStalledBody(request: IncomingMessage, { stallMs, cut }: { stallMs: number; cut(): void }): void {
  refuseTinyChunks(request)
  const { headers, socket } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  // A request that did not come from a socket (in tests) is complete.
  if (!hasBody || !(request instanceof IncomingMessage)) return
  const bytesMin = (bytesPerSecondMin * stallMs) / 1000
  let bytesBefore = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const bytesCome = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    // Bytes that have arrived but are not read yet are our delay, not the client's.
    if (bytesCome >= bytesMin || request.readableLength > 0) return
    clearInterval(timer)
    cut()
  }, stallMs).unref()
  request.once('close', () => clearInterval(timer))
}

/** Limits of tiny chunks, which no ordinary client sends: each chunk costs as much time as a large one. */
const tinyChunksMax = 1_000
const chunkBytesMin = 64

/**
 * Cuts the connection when a body arrives in very many tiny chunks, also while its rest is discarded. The other limits count bytes, but a
 * chunk of one byte costs as much time as 16 KiB.
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

/** The error that Node's parser reports for a request that takes too long. */
export function stalledBodyError(): Error {
  return Object.assign(new Error('the body stalled'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
