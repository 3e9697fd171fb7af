import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredObject } from '../../../storage/storage.ts'
import { temporaryName } from '../../../storage/temporaryFiles.ts'
import type { Context } from '../../context.ts'
import { type LocalCopy, openLocal, receiveLocally } from './localCopy.ts'

/** The storage key of bytes that arrived with a vendor's answer: one for each attempt. They may become the result. */
export function stagedKeyOf({ id, attempt }: { id: string; attempt: number }): string {
  return `made/${id}/${attempt}`
}

/** The bytes of an answer in the storage, and a local copy. The caller removes the file of the copy. */
export type StagedOutput = { stored: StoredObject; local: LocalCopy; mimeType: string }

/** The storage refused the bytes until the retries ended. */
export class StorageFailed extends Error {
  constructor(cause: unknown) {
    super('the output could not be stored', { cause })
    this.name = 'StorageFailed'
  }
}

/** How long an unavailable storage or disk is retried. */
export const stageRetrySeconds = 600
const usualPauseMs = 500
const pauseMsMax = 4000

/**
 * Stores the bytes of a vendor's answer. The vendor bills for them and sends them once. So each step is retried for
 * {@link stageRetrySeconds}: first writing large content to a temporary file, which fails on a full disk, then copying
 * it to the storage. `signal` aborts reading, `storing` aborts everything. Waits for the disk run inside `pausing`. Calls `onReceived` when
 * all bytes have arrived. Rejects with {@link StorageFailed}, or with the error that broke the content off, and then removes the file.
 */
export async function stageOutput(
  context: Context,
  attempt: { id: string; attempt: number },
  { content, mimeType, signal, storing, onReceived, pausing, firstPauseMs = usualPauseMs }: StagedContent,
): Promise<StagedOutput> {
  const path = join(context.settings.temporaryFolder, temporaryName())
  try {
    const ofFile = { key: path, signal: storing, firstPauseMs, givenUpAt: performance.now() + stageRetrySeconds * 1000 }
    const retry = <Result>(work: () => Promise<Result>) => work().catch(() => pausing(() => retried(context, work, ofFile)))
    const local = await receiveLocally(content, { path, signal, retry })
    onReceived()
    const key = stagedKeyOf(attempt)
    const put = () => context.storage.put(key, openLocal(local), { contentType: mimeType, signal: storing })
    const retries = { key, signal: storing, firstPauseMs, givenUpAt: performance.now() + stageRetrySeconds * 1000 }
    return { stored: await retried(context, put, retries), local, mimeType }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

export type StagedContent = {
  content: AsyncIterable<Uint8Array>
  mimeType: string
  signal: AbortSignal
  storing: AbortSignal
  onReceived(): void
  pausing<Result>(wait: () => Promise<Result>): Promise<Result>
  firstPauseMs?: number
}

type Retries = { key: string; signal: AbortSignal; firstPauseMs: number; givenUpAt: number }

async function retried<Result>(
  { log }: Context,
  work: () => Promise<Result>,
  { key, signal, firstPauseMs, givenUpAt }: Retries,
): Promise<Result> {
  for (let tries = 1, pauseMs = firstPauseMs; ; tries += 1, pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > givenUpAt || signal.aborted) throw new StorageFailed(error)
      log.warn({ key, tries, error }, 'the output of a vendor could not be stored yet')
      await pause(pauseMs, undefined, { signal })
    }
  }
}
