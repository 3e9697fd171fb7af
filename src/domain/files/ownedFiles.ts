import type { StoredFile } from '../../entities/StoredFile.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

export type OwnedFile = Pick<StoredFile, 'id' | 'type' | 'mimeType' | 'state' | 'sizeBytes'> & { durationSeconds: number | null }

const read = statement<OwnedFile>(
  'owned_files',
  'select id, type, mime_type, state, size_bytes, duration_seconds from files where id = any($1) and owner_id = $2 and expires_at > present()',
)

/** The files of an owner with these identifiers, in any order, without expired ones. */
export async function ownedFiles({ sql }: Pick<Context, 'sql'>, ownerId: string, ids: readonly string[]): Promise<OwnedFile[]> {
  return ids.length === 0 ? [] : await sql.all(read, [ids, ownerId])
}
