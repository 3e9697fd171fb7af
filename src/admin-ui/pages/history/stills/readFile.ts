/** A file that was not sent. `status` is undefined if the browser hides it, as for `<img>` and `<video>`. */
export class FileRefused extends Error {
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(response?: Response) {
    super('the file cannot be read')
    this.status = response?.status
    const seconds = Number(response?.headers.get('retry-after') ?? undefined)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** Reads a file of at most `bytesMax`. Throws {@link FileRefused}. */
export async function readFile(path: string, { bytesMax, signal }: { bytesMax: number; signal: AbortSignal }): Promise<ArrayBuffer> {
  const response = await fetch(path, { signal })
  if (response.ok && Number(response.headers.get('content-length')) <= bytesMax) return await response.arrayBuffer()
  await response.body?.cancel()
  throw response.ok ? new Error('the file is too large') : new FileRefused(response)
}
