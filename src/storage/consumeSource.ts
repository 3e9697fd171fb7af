import type { Readable } from 'node:stream'

/**
 * Runs `store`, which owns `source`. An abort of `signal` destroys the source, and so does any failure. Rejects with the original error, or
 * after an abort with the reason of `signal`.
 */
export async function consumeSource<Stored>(
  source: Readable,
  signal: AbortSignal | undefined,
  store: () => Promise<Stored>,
): Promise<Stored> {
  ignoreStreamErrors(source)
  const stop = () => source.destroy(new Error('aborted', { cause: signal?.reason }))
  try {
    signal?.throwIfAborted()
    signal?.addEventListener('abort', stop)
    return await store()
  } catch (error) {
    source.destroy()
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Adds an error listener, so that an error before a reader listens does not crash the process. */
export function ignoreStreamErrors<Stream extends Readable>(stream: Stream): Stream {
  return stream.on('error', () => {})
}
