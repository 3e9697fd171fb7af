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

/** The storage took nothing, however often it was asked. */
export class StorageFailed extends Error {
  constructor(cause: unknown) {
    super('what was made could not be stored', { cause })
    this.name = 'StorageFailed'
  }
}

const triesMax = 5

/**
 * Keeps what a vendor has sent, before anything else is done with it: the vendor may be paid for it, and says it once. A storage that
 * does not answer is asked again, since nobody can ask the vendor again. Rejects with {@link StorageFailed}, or with what cut the content
 * off.
 */
export async function keepMade(
  context: Context,
  attempt: { id: string; attempt: number },
  { content, mimeType, signal }: { content: AsyncIterable<Uint8Array>; mimeType: string; signal: AbortSignal },
): Promise<void> {
  const path = join(context.settings.temporaryFolder, temporaryName())
  try {
    await pipeline(content, createWriteStream(path), { signal })
    await putPatiently(context, { key: madeKeyOf(attempt), path, mimeType, signal })
  } finally {
    await rm(path, { force: true })
  }
}

type Put = { key: string; path: string; mimeType: string; signal: AbortSignal }

async function putPatiently({ storage, log }: Context, { key, path, mimeType, signal }: Put): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await storage.put(key, createReadStream(path), { contentType: mimeType, signal })
      return
    } catch (error) {
      if (tries === triesMax || signal.aborted) throw new StorageFailed(error)
      log.warn({ key, tries, error }, 'what a vendor has sent could not be stored yet')
      await pause(2 ** (tries - 1) * 500, undefined, { signal })
    }
  }
}
