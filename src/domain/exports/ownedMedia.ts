import { columnsOf } from '../../database/pool/columnsOf.ts'
import { StoredFile } from '../../entities/StoredFile.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const files = statement<StoredFile>(
  'owned_files',
  `select ${columnsOf(StoredFile)} from files where owner_id = $1 and ($2::text is null or id < $2) and expires_at > present()
     order by owner_id desc, id desc limit $3`,
)

/** Lists a page of a team's files after the key `after`, newest first. Expired files are not listed. */
export function listOwnedFiles(
  { sql }: Pick<Context, 'sql'>,
  { ownerId, after, limit }: { ownerId: string; after: string | undefined; limit: number },
): Promise<StoredFile[]> {
  return sql.all(files, [ownerId, after ?? null, limit])
}

/** A result in storage. `sha256` is lowercase hexadecimal. */
export type StoredResult = { id: string; storageKey: string; mimeType: string; sizeBytes: number; sha256: string }

const results = statement<StoredResult>(
  'owned_results',
  `select id, result->>'storageKey' as storage_key, result->>'mimeType' as mime_type, (result->>'sizeBytes')::bigint as size_bytes,
       result->>'sha256' as sha256
     from generations where id = any($2) and owner_id = $1 and state = 'ready' and result ? 'storageKey'`,
)

/** Returns the stored results of these generations of the owner, in any order. Generations without a stored result are omitted. */
export function storedResults(
  { sql }: Pick<Context, 'sql'>,
  { ownerId, ids }: { ownerId: string; ids: readonly string[] },
): Promise<StoredResult[]> {
  return sql.all(results, [ownerId, ids])
}
