import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryName } from '../../storage/temporaryFiles.ts'
import type { Context } from '../context.ts'

/** Where the bytes lie that came with an answer of the vendor, until they are looked at: one place for each attempt. */
export function madeKeyOf({ id, attempt }: { id: string; attempt: number }): string {
  return `made/${id}/${attempt}`
}

/** The storage took nothing for as long as it was asked. */
export class StorageFailed extends Error {
  constructor(cause: unknown) {
    super('what was made could not be stored', { cause })
    this.name = 'StorageFailed'
  }
}

/** Until then a storage that takes nothing is asked again. */
export const storingSeconds = 600
const usualPauseMs = 500
const pauseMsMax = 4000

/**
 * Keeps what a vendor has sent, before anything else is done with it: the vendor may be paid for it, and says it once. A storage that
 * does not answer is asked again for {@link storingSeconds}, since nobody can ask the vendor again. `signal` ends the reading of the
 * content; once all of it lies in a file of ours, `onReceived` is called and `storing` alone ends it. Rejects with {@link StorageFailed},
 * or with what cut the content off.
 */
export async function keepMade(
  context: Context,
  attempt: { id: string; attempt: number },
  { content, mimeType, signal, storing, onReceived, firstPauseMs = usualPauseMs }: MadeContent,
): Promise<void> {
  const path = join(context.settings.temporaryFolder, temporaryName())
  try {
    await pipeline(content, createWriteStream(path), { signal })
    onReceived()
    await putPatiently(context, { key: madeKeyOf(attempt), path, mimeType, signal: storing, firstPauseMs })
  } finally {
    await rm(path, { force: true })
  }
}

export type MadeContent = {
  content: AsyncIterable<Uint8Array>
  mimeType: string
  signal: AbortSignal
  storing: AbortSignal
  onReceived(): void
  firstPauseMs?: number
}
type Put = { key: string; path: string; mimeType: string; signal: AbortSignal; firstPauseMs: number }

async function putPatiently({ storage, log }: Context, { key, path, mimeType, signal, firstPauseMs }: Put): Promise<void> {
  const givenUpAt = performance.now() + storingSeconds * 1000
  for (let tries = 1, pauseMs = firstPauseMs; ; tries += 1, pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
    try {
      await storage.put(key, createReadStream(path), { contentType: mimeType, signal })
      return
    } catch (error) {
      if (performance.now() > givenUpAt || signal.aborted) throw new StorageFailed(error)
      log.warn({ key, tries, error }, 'what a vendor has sent could not be stored yet')
      await pause(pauseMs, undefined, { signal })
    }
  }
}
