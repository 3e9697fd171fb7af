import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { findFile } from './fileRows.ts'

const deletion = statement<never>('file_was_deleted', `select from audit_entries where subject_id = $1 and action = 'file.deleted' limit 1`)

/** Refuses an upload address whose file exists or was deleted, before its content is read. Refusals: not_found. */
export async function requireUnusedAddress(context: Context, fileId: string): Promise<void> {
  if (await findFile(context, fileId)) throw new Refusal('not_found')
  await requireNeverDeleted(context, fileId)
}

/**
 * Refuses a file that was deleted. Its audit entry is kept longer than an upload address works. Call it after the insert, because the
 * insert waits for a concurrent deletion. Refusals: not_found.
 */
export async function requireNeverDeleted(context: Context, fileId: string): Promise<void> {
  if (await context.sql.one(deletion, [fileId])) throw new Refusal('not_found')
}
