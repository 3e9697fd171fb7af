import { Refusal } from '../../contract/refusals/refusals.ts'
import { columnsOf } from '../../database/pool/columnsOf.ts'
import { StoredFile } from '../../entities/StoredFile.ts'
import type { Measured } from '../../media/inspectionResult.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { tooManyUnused, unusedFilesOf } from './unusedFiles.ts'

const columns = columnsOf(StoredFile)

const insert = statement<StoredFile>(
  'insert_file',
  `with counted as (
       insert into unused_files (owner_id, files, bytes) select $2, 1, $7::bigint where $7::bigint <= $12::bigint
       on conflict (owner_id) do update set files = unused_files.files + 1, bytes = unused_files.bytes + excluded.bytes
         where unused_files.files < $13::bigint and unused_files.bytes + excluded.bytes <= $12::bigint
       returning 1)
     insert into files (id, owner_id, user_id, state, type, mime_type, declared_mime_type, size_bytes, storage_key, sha256, created_at, expires_at)
     select $1, $2, $3, 'processing', $4, $5, $6, $7::bigint, $8, $9, $10, $11 from counted returning ${columns}`,
)

/** The fields of a file before its inspection. */
export type NewFile = Pick<
  StoredFile,
  'id' | 'ownerId' | 'userId' | 'type' | 'mimeType' | 'declaredMimeType' | 'sizeBytes' | 'storageKey' | 'sha256' | 'createdAt' | 'expiresAt'
>

/**
 * Inserts a file in the state `processing`, unless it would exceed what its owner may keep unused. Concurrent inserts cannot exceed the
 * limit together.
 * Refusals: file_quota_exceeded; not_found when a file with this identifier exists. Locks: the owner's count of unused files.
 */
export async function insertFile(context: Context, file: NewFile): Promise<StoredFile> {
  const { id, ownerId, userId, type, mimeType, declaredMimeType, sizeBytes, storageKey, sha256, createdAt, expiresAt } = file
  const { unusedFilesMax: max } = context.settings
  const values = [id, ownerId, userId, type, mimeType, declaredMimeType, sizeBytes, storageKey, sha256, createdAt, expiresAt]
  const row = await context.sql.one(insert, [...values, max.bytes, max.files]).catch(refuseRepeat)
  if (!row) throw tooManyUnused(context, await unusedFilesOf(context, ownerId))
  return row
}

/** Of two uploads to one upload address, the second is refused. */
function refuseRepeat(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505') throw new Refusal('not_found', undefined, { cause: error })
  throw error
}

const measured = statement<StoredFile>(
  'file_ready',
  `update files set state = 'ready', type = $2, mime_type = $3, width = $4, height = $5, duration_seconds = $6
     where id = $1 and state = 'processing' returning ${columns}`,
)

/** processing → ready, with the measured values. Returns `undefined` when the file is no longer processing. */
export async function markReady(context: Context, id: string, found: Measured): Promise<StoredFile | undefined> {
  const { type, mimeType, width, height, durationSeconds } = found
  return await context.sql.one(measured, [id, type, mimeType, width, height, durationSeconds])
}

const unusable = statement<StoredFile>(
  'file_failed',
  `update files set state = 'failed', refusal = $2::jsonb where id = $1 and state = 'processing' returning ${columns}`,
)

/** processing → failed, with the refusal that its users get. Returns `undefined` when the file is no longer processing. */
export async function markFailed(
  context: Context,
  id: string,
  refusal: NonNullable<StoredFile['refusal']>,
): Promise<StoredFile | undefined> {
  return await context.sql.one(unusable, [id, JSON.stringify(refusal)])
}

const remove = statement<never>('remove_file', `delete from files where id = $1 and state = 'processing'`)

/** Deletes a file whose identifier was never returned to a client. */
export async function deleteProcessingFile(context: Context, id: string): Promise<void> {
  await context.sql.all(remove, [id])
}

const byId = statement<StoredFile>('file_by_id', `select ${columns} from files where id = $1`)

/** Reads a file by its identifier, of any owner, also when it is expired. */
export async function findFile(context: Context, id: string): Promise<StoredFile | undefined> {
  return await context.sql.one(byId, [id])
}
