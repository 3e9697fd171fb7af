import { Readable } from 'node:stream'
import type { Deadline } from './deadline.ts'
import { type Exchange, headerBytesMax } from './exchange.ts'
import { FetchFailure } from './fetchFailure.ts'

type BodyLimits = { bytesMax: number; idleSeconds?: number | undefined; deadline: Deadline }

/**
 * Returns the body of a response as a stream of at most `bytesMax` bytes that ends only when the body is complete. Otherwise it fails with
 * a {@link FetchFailure}: `too_large` (announced or received, or more than announced), `encoding` (any coding except identity and
 * chunked), `truncated`, `timeout` (nothing arrives for `idleSeconds` while the reader waits), or the reason of the deadline.
 * The end, a failure, or destroying the stream releases the connection and the deadline. The connection is reused only after a complete
 * response.
 */
export function guardedBody(exchange: Exchange, { bytesMax, idleSeconds, deadline }: BodyLimits): Readable {
  const { source, headers, connection } = exchange
  const announced = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const endsWithConnection = announced === null && headers['transfer-encoding'] === undefined
  const unfit = unfitHeaders(headers, announced, bytesMax)
  let receivedBytes = 0
  let isWhole = false
  const idle = idleTimer(idleSeconds, (failure) => body.destroy(failure))
  const stop = () => body.destroy(deadline.signal.reason)
  const breakOff = (cause?: Error | null) =>
    body.destroy(cause instanceof FetchFailure ? cause : brokenOff(receivedBytes, announced, cause))
  const body = new Readable({
    read() {
      // Fails at the first read, when the reader has its listeners.
      if (unfit) this.destroy(unfit)
      else {
        idle.start()
        source.resume()
      }
    },
    destroy(error, done) {
      idle.stop()
      deadline.signal.removeEventListener('abort', stop)
      deadline.end()
      source.destroy()
      if (isWhole && !error) exchange.end()
      else exchange.close()
      done(error)
    },
  })
  // Without a reader, a failure stays in the stream and must not crash the process.
  body.on('error', () => {})
  source.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length
    if (receivedBytes > bytesMax) body.destroy(tooLarge(bytesMax))
    else if (body.push(chunk)) idle.start()
    else {
      idle.stop()
      source.pause()
    }
  })
  source.pause()
  source.on('end', () => {
    const surplus = announced !== null && connection.bytesRead() - announced > headerBytesMax
    if (surplus) body.destroy(new FetchFailure('too_large', `more than the announced ${announced} bytes`))
    else if (endsWithConnection && connection.wasReset()) breakOff()
    else {
      isWhole = true
      body.push(null)
    }
  })
  source.on('error', breakOff)
  deadline.signal.addEventListener('abort', stop, { once: true })
  if (deadline.signal.aborted) stop()
  else if (source.destroyed) breakOff(source.errored)
  return body
}

/** Calls `fail` when it is neither stopped nor restarted within this time. */
function idleTimer(seconds: number | undefined, fail: (failure: FetchFailure) => void) {
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    stop,
    start() {
      stop()
      if (seconds === undefined) return
      timer = setTimeout(() => fail(new FetchFailure('timeout', `nothing more of the answer within ${seconds} s`)), seconds * 1000)
    },
  }
}

function unfitHeaders(headers: Record<string, string>, announced: number | null, bytesMax: number): FetchFailure | undefined {
  const codings = `${headers['content-encoding'] ?? ''},${headers['transfer-encoding'] ?? ''}`.toLowerCase().split(',')
  if (codings.some((coding) => !['', 'identity', 'chunked'].includes(coding.trim()))) {
    return new FetchFailure('encoding', 'answer is compressed although that was not asked for')
  }
  return announced !== null && announced > bytesMax ? tooLarge(bytesMax) : undefined
}

function tooLarge(bytesMax: number): FetchFailure {
  return new FetchFailure('too_large', `answer is larger than ${bytesMax} bytes`)
}

function brokenOff(receivedBytes: number, announced: number | null, cause?: unknown): FetchFailure {
  const whole = announced === null ? '' : ` of ${announced}`
  return new FetchFailure('truncated', `answer broke off after ${receivedBytes}${whole} bytes`, { cause })
}
