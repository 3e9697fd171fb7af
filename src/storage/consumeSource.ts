import type { Readable } from 'node:stream'

/**
 * Runs `store` as the only owner of `source`. An error of the source never goes unheard; an abort of `signal` destroys it. When anything
 * fails, the source is destroyed and the failure is what caused it, in case of an abort the reason of `signal`.
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

/** Marks errors of `stream` as heard, so that one that comes before its reader listens does not end the process. */
export function ignoreStreamErrors<Stream extends Readable>(stream: Stream): Stream {
  return stream.on('error', () => {})
}
