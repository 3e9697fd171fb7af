type WriteOptions = {
  signal: AbortSignal
  /** Moves the complete file to its place. Default: replaces what is there. */
  place?: (part: string, path: string) => Promise<void>
}

/**
 * Writes a file completely or not at all: beside its path first, and then moved there. Returns its size in bytes. Needs a file system, and
 * throws its errors as they are.
 */
export async function writeWholeFile(path: string, chunks: AsyncIterable<Uint8Array>, { signal, place }: WriteOptions): Promise<number> {
  const [{ open, rename, rm }, { basename, dirname, join }] = await Promise.all([import('node:fs/promises'), import('node:path')])
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID().slice(0, 12)}.part`)
  const file = await open(part, 'wx')
  try {
    let size = 0
    try {
      for await (const chunk of chunks) {
        signal.throwIfAborted()
        await file.writeFile(chunk)
        size += chunk.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await (place ?? rename)(part, path)
    return size
  } finally {
    await rm(part, { force: true })
  }
}
