import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A copy of the bytes of an output in memory, or the path of a temporary file with them. */
export type LocalCopy = Buffer | string

/** Smaller content needs no file: writing, reading and removing one took a sixth of the processor time of a small image. */
const memoryBytesMax = 1024 ** 2
/** Each chunk takes memory of its own: a MiB in chunks of one byte would take hundreds. */
const memoryChunksMax = 1024
/** Few read calls for a large file. */
const readBytes = 256 * 1024

type Receiving = {
  /** Of the file for larger content. The caller removes it, also after a rejection. */
  path: string
  signal: AbortSignal
  /** Runs each operation on the file. Content is not read meanwhile. */
  retry?: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** Reads `content` into memory, and above {@link memoryBytesMax} or {@link memoryChunksMax} into a new file at `path`. */
export async function receiveLocally(
  content: AsyncIterable<Uint8Array>,
  { path, signal, retry = (work) => work() }: Receiving,
): Promise<LocalCopy> {
  const inMemory: Uint8Array[] = []
  let file: FileHandle | undefined
  let position = 0
  const write = async (to: FileHandle, chunk: Uint8Array) => {
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await retry(() => to.write(chunk, written, chunk.length - written, position))
      written += bytesWritten
      position += bytesWritten
    }
  }
  const readAll = async (chunks: AsyncIterable<Uint8Array>) => {
    let bytes = 0
    for await (const chunk of chunks) {
      inMemory.push(chunk)
      bytes += chunk.length
      if (!file && bytes <= memoryBytesMax && inMemory.length <= memoryChunksMax) continue
      file ??= await retry(() => open(path, 'wx', 0o600))
      for (const each of inMemory.splice(0)) await write(file, each)
    }
  }
  try {
    // Also after an abort: it closes the source.
    await pipeline(content, readAll, { signal })
  } finally {
    await file?.close()
  }
  return file ? path : Buffer.concat(inMemory)
}

export function openLocal(local: LocalCopy): Readable {
  return typeof local === 'string' ? createReadStream(local, { highWaterMark: readBytes }) : Readable.from([local])
}
