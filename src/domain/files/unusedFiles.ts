import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../context.ts'
import { fileQuotaOf, type UnusedFiles } from '../fileQuota.ts'
import { statement } from '../sql.ts'

const counted = statement<UnusedFiles>('unused_files_of', 'select files, bytes from unused_files where owner_id = $1')

export async function unusedFilesOf(context: Context, ownerId: string): Promise<UnusedFiles> {
  return (await context.sql.one(counted, [ownerId])) ?? { files: 0, bytes: 0 }
}

/**
 * Refuses an upload when the owner has no room for unused files. Whether this file fits is checked when it is stored.
 * Refusals: file_quota_exceeded.
 */
export async function requireUnusedFileQuota(context: Context, ownerId: string): Promise<void> {
  const unused = await unusedFilesOf(context, ownerId)
  const { bytes, files } = context.settings.unusedFilesMax
  if (unused.files >= files || unused.bytes >= bytes) throw tooManyUnused(context, unused)
}

export function tooManyUnused(context: Context, { files, bytes }: UnusedFiles): Refusal {
  return new Refusal('file_quota_exceeded', fileQuotaOf(context, { files, bytes }))
}
