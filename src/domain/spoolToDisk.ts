import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryName } from '../storage/temporaryFiles.ts'
import type { Settings } from './context.ts'

/** A text in a temporary file, and the return value of its source. */
export type SpooledFile<End> = {
  end: End
  /** Reads the text; may be called repeatedly. An abort ends the read with the signal's reason. */
  read(signal: AbortSignal): AsyncGenerator<string, void, undefined>
  remove(): Promise<void>
}

const pieceBytes = 64 * 1024

/**
 * Writes a text to a temporary file while it arrives, for callers that need the fields after it to interpret it. If the source fails, the
 * file is removed; otherwise the caller removes it. Files of a killed process are swept.
 */
export async function spoolToDisk<End>(
  pieces: AsyncIterator<string, End, undefined>,
  { temporaryFolder }: Pick<Settings, 'temporaryFolder'>,
): Promise<SpooledFile<End>> {
  const path = join(temporaryFolder, temporaryName())
  const remove = () => rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    const end = await write(file, pieces)
    await file.close()
    return { end, read: (signal) => read(path, signal), remove }
  } catch (error) {
    await file.close()
    await remove()
    throw error
  }
}

/** Reuses one buffer, because buffers allocated per piece would be freed much later. */
async function write<End>(file: FileHandle, pieces: AsyncIterator<string, End, undefined>): Promise<End> {
  let target: Buffer = Buffer.alloc(0)
  let piece = await pieces.next()
  for (; !piece.done; piece = await pieces.next()) {
    const length = Buffer.byteLength(piece.value)
    if (target.length < length) target = Buffer.allocUnsafeSlow(length)
    target.write(piece.value)
    await file.writeFile(target.subarray(0, length))
  }
  return piece.value
}

/** Reads as latin1: base64 is ASCII, and any other character stays invalid base64. */
async function* read(path: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  signal.throwIfAborted()
  const file = await open(path)
  try {
    const target = Buffer.allocUnsafeSlow(pieceBytes)
    for (;;) {
      const { bytesRead } = await file.read(target, 0, pieceBytes)
      signal.throwIfAborted()
      if (bytesRead === 0) return
      yield target.toString('latin1', 0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
