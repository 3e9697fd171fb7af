import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredObject } from '../../../storage/storage.ts'
import { temporaryName } from '../../../storage/temporaryFiles.ts'
import type { Context } from '../../context.ts'

/** The storage key of bytes that arrived with a vendor's answer: one for each attempt. They may become the result. */
export function stagedKeyOf({ id, attempt }: { id: string; attempt: number }): string {
  return `made/${id}/${attempt}`
}

/** A copy of the bytes in memory, or the path of a temporary file with them. */
export type LocalCopy = Buffer | string

/** The bytes of an answer in the storage, and a local copy. The caller removes its file. */
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
/** Smaller content needs no file: writing, reading and removing one took a sixth of the processor time of a small image. */
const memoryBytesMax = 1024 ** 2
/** Few read calls for a large file. */
const readBytes = 256 * 1024

/**
 * Stores the bytes of a vendor's answer. The vendor bills for them and sends them once. So each step is retried for
 * {@link stageRetrySeconds}: first writing content above {@link memoryBytesMax} to a temporary file, which fails on a full disk, then copying
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
    const local = await receive(context, { content, path, signal, storing, pausing, firstPauseMs })
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

type Received = Pick<StagedContent, 'content' | 'signal' | 'storing' | 'pausing'> & { path: string; firstPauseMs: number }

export function openLocal(local: LocalCopy): Readable {
  return typeof local === 'string' ? createReadStream(local, { highWaterMark: readBytes }) : Readable.from([local])
}

/** Stops reading while a chunk cannot be written. The vendor's connection buffers the rest. */
async function receive(context: Context, { content, path, signal, storing, pausing, firstPauseMs }: Received): Promise<LocalCopy> {
  const retries = { key: path, signal: storing, firstPauseMs, givenUpAt: performance.now() + stageRetrySeconds * 1000 }
  const retry = <Result>(work: () => Promise<Result>): Promise<Result> => work().catch(() => pausing(() => retried(context, work, retries)))
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
      if (bytes <= memoryBytesMax) continue
      file ??= await retry(() => open(path, 'wx', 0o600))
      for (const each of inMemory.splice(0)) await write(file, each)
    }
  }
  try {
    await pipeline(content, readAll, { signal })
  } finally {
    await file?.close()
  }
  return file ? path : Buffer.concat(inMemory)
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
