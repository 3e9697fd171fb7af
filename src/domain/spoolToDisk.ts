import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryName } from '../storage/temporaryFiles.ts'
import type { Settings } from './context.ts'

/** A text that lies in a temporary file, and what its source gave at its end. */
export type SpooledFile<End> = {
  end: End
  /** Reads it, as often as wanted. The signal ends that, with its reason. */
  read(signal: AbortSignal): AsyncGenerator<string, void, undefined>
  remove(): Promise<void>
}

const pieceBytes = 64 * 1024

/**
 * Writes a text into a temporary file while it comes in, for whoever can only tell from what stands behind it
 * what it is for. A source that fails leaves nothing; else it stays until it is removed. What a killed process leaves is swept.
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

/** Through one buffer: those that are made anew for each piece are freed far later than they are needed. */
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

/** Base64 has one byte a character; what has more stays what base64 does not have. */
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
