import { newId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import type { Measured } from '../../media/inspectionResult.ts'
import { type Context, transaction } from '../context.ts'
import { invariant } from '../invariant.ts'
import { enqueue } from '../queue.ts'
import { deleteProcessingFile, insertFile, markReady, type NewFile } from './fileRows.ts'
import { inspectionKey } from './inspectStoredFile.ts'
import type { SpooledUpload } from './spoolUpload.ts'
import { requireNeverDeleted } from './usedAddresses.ts'

/** The owner whose history and inputs a file belongs to, and the person who sent it. */
export type FileOwner = { ownerId: string; userId: string | null }

/** The probable type of a file by its first bytes, before its inspection. */
export type ProbableFormat = { ok: 'likely'; type: StoredFile['type']; mimeType: string }

/**
 * Stores received content as a file: `ready` when it was measured, otherwise `processing` with a job that measures it. The row is written
 * first, so that every stored object has a row; reconcileFiles repairs what a crash leaves half done. On an error row and object are
 * deleted.
 */
export async function storeUpload(
  context: Context,
  owner: FileOwner,
  {
    id: asked,
    received,
    declaredMimeType,
    found,
  }: { id?: string | undefined; received: SpooledUpload; declaredMimeType: string | undefined; found: Measured | ProbableFormat },
): Promise<StoredFile> {
  const id = asked ?? newId('file')
  // An upload address may name a file again whose upload failed, and whose object is still being removed.
  const storageKey = `files/${asked === undefined ? id : newId('file')}`
  const { type, mimeType } = found
  const { sizeBytes, sha256, path } = received
  const createdAt = context.clock.now()
  const expiresAt = new Date(createdAt.getTime() + limits.unusedFileDays * 86_400_000)
  const declared = { declaredMimeType: declaredMimeType ?? null }
  const file = { id, ...owner, ...declared, type, mimeType, sizeBytes, storageKey, sha256, createdAt, expiresAt }
  const row = await (asked === undefined ? insertFile(context, file) : insertOnce(context, file))
  try {
    await context.storage.take(storageKey, path, { contentType: mimeType })
    if (found.ok === 'likely') {
      await enqueue(context, 'inspectFile', { fileId: id }, { key: inspectionKey(id) })
      return row
    }
    const ready = await markReady(context, id, found)
    invariant(ready, 'only this call can change a file that is being stored')
    return ready
  } catch (error) {
    await rollBackUpload(context, row)
    throw error
  }
}

/** Inserts the file of an upload address, unless the address has made a file before. Refusals: not_found. */
async function insertOnce(context: Context, file: NewFile): Promise<StoredFile> {
  return await transaction(context, async (inside) => {
    const row = await insertFile(inside, file)
    await requireNeverDeleted(inside, file.id)
    return row
  })
}

/** Deletes the object first. If that fails, row and object are deleted later. */
async function rollBackUpload(context: Context, { id, storageKey }: StoredFile): Promise<void> {
  try {
    await context.storage.remove(storageKey)
    await deleteProcessingFile(context, id)
  } catch (error) {
    context.log.warn({ fileId: id, error }, 'cannot roll back an upload; its row and object are deleted later')
  }
}
