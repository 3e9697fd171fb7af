import { newId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import type { Measured } from '../../media/inspectionResult.ts'
import type { Context } from '../context.ts'
import { invariant } from '../invariant.ts'
import { enqueue } from '../queue.ts'
import { deleteProcessingFile, insertFile, markReady } from './fileRows.ts'
import { inspectionKey } from './inspectStoredFile.ts'
import type { SpooledUpload } from './spoolUpload.ts'

/** Whose history and inputs a file belongs to, and who sent it. */
export type FileOwner = { ownerId: string; userId: string | null }

/** What the first bytes of a file make likely, before it was looked at as a whole. */
export type ProbableFormat = { ok: 'likely'; type: StoredFile['type']; mimeType: string }

/**
 * Keeps received content as a file: `ready` when it was measured, else `processing`, with a job that measures it. The row comes
 * first, so that an object in storage never stands without one: what a process leaves half done is found by reconcileFiles. When
 * anything fails, row and object are taken back.
 */
export async function storeUpload(
  context: Context,
  owner: FileOwner,
  {
    received,
    declaredMimeType,
    found,
  }: { received: SpooledUpload; declaredMimeType: string | undefined; found: Measured | ProbableFormat },
): Promise<StoredFile> {
  const id = newId('file')
  const storageKey = `files/${id}`
  const { type, mimeType } = found
  const { sizeBytes, sha256, path } = received
  const createdAt = context.clock.now()
  const expiresAt = new Date(createdAt.getTime() + limits.unusedFileDays * 86_400_000)
  const declared = { declaredMimeType: declaredMimeType ?? null }
  const row = await insertFile(context, { id, ...owner, ...declared, type, mimeType, sizeBytes, storageKey, sha256, createdAt, expiresAt })
  try {
    await context.storage.take(storageKey, path, { contentType: mimeType })
    if (found.ok === 'likely') {
      await enqueue(context, 'inspectFile', { fileId: id }, { key: inspectionKey(id) })
      return row
    }
    const ready = await markReady(context, id, found)
    invariant(ready, 'nobody else knows of a file that is being kept')
    return ready
  } catch (error) {
    await rollBackUpload(context, row)
    throw error
  }
}

/** The object first: what cannot be removed now is removed with the row later. */
async function rollBackUpload(context: Context, { id, storageKey }: StoredFile): Promise<void> {
  try {
    await context.storage.remove(storageKey)
    await deleteProcessingFile(context, id)
  } catch (error) {
    context.log.warn({ fileId: id, error }, 'a file that was not kept is left to be cleared away')
  }
}
