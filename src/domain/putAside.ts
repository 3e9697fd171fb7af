import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryName } from '../storage/temporaryFiles.ts'
import type { Settings } from './context.ts'

/** A text that lies in a temporary file, and what its source gave at its end. */
export type PutAside<End> = {
  end: End
  /** Reads it, as often as wanted. The signal ends that, with its reason. */
  read(signal: AbortSignal): AsyncGenerator<string, void, undefined>
  remove(): Promise<void>
}

const pieceBytes = 256 * 1024

/**
 * Writes a text into a temporary file while it comes in, for whoever can only tell from what stands behind it
 * what it is for. A source that fails leaves nothing; else it stays until it is removed. What a killed process leaves is swept.
 */
export async function putAside<End>(
  pieces: AsyncIterator<string, End, undefined>,
  { temporaryFolder }: Pick<Settings, 'temporaryFolder'>,
): Promise<PutAside<End>> {
  const path = join(temporaryFolder, temporaryName())
  const remove = () => rm(path, { force: true })
  const file = await open(path, 'wx', 0o600)
  try {
    let piece = await pieces.next()
    for (; !piece.done; piece = await pieces.next()) await file.writeFile(piece.value, 'utf8')
    await file.close()
    return { end: piece.value, read: (signal) => read(path, signal), remove }
  } catch (error) {
    await file.close()
    await remove()
    throw error
  }
}

async function* read(path: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  try {
    for await (const piece of createReadStream(path, { encoding: 'utf8', highWaterMark: pieceBytes, signal })) yield String(piece)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
