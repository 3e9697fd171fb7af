import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The bytes of an output, or the path of a temporary file with them. */
export type LocalCopy = Buffer | string

/** Larger content goes to a file. For a small image, the file took a sixth of the processor time. */
const memoryBytesMax = 1024 ** 2
/** Content in more chunks goes to a file too: each chunk has an overhead, so one MiB in chunks of one byte would take hundreds of MiB. */
const memoryChunksMax = 1024
/** Large, for few read calls. */
const readBytes = 256 * 1024

type Receiving = {
  /** The path of the file for larger content. The caller removes the file, also after a rejection. */
  path: string
  signal: AbortSignal
  /** Runs each operation on the file. Meanwhile no content is read. */
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

/** Opens a copy as a stream, for one reading. */
export function openLocal(local: LocalCopy): Readable {
  return typeof local === 'string' ? createReadStream(local, { highWaterMark: readBytes }) : Readable.from([local])
}
