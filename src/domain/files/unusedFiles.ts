import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** The number and size of an owner's files that no generation has used, without failed ones. insertFile and the database count them. */
export type UnusedFiles = { files: number; bytes: number }

const counted = statement<UnusedFiles>('unused_files_of', 'select files, bytes from unused_files where owner_id = $1')

export async function unusedFilesOf(context: Context, ownerId: string): Promise<UnusedFiles> {
  return (await context.sql.one(counted, [ownerId])) ?? { files: 0, bytes: 0 }
}

/**
 * Refuses an upload when the owner has no room for unused files. Whether this file fits is checked when it is stored.
 * Refusals: payload_too_large.
 */
export async function requireUnusedFileQuota(context: Context, ownerId: string): Promise<void> {
  const unused = await unusedFilesOf(context, ownerId)
  const { bytes, files } = context.settings.unusedFilesMax
  if (unused.files >= files || unused.bytes >= bytes) throw tooManyUnused(context, unused)
}

export function tooManyUnused(context: Context, { files, bytes }: UnusedFiles): Refusal {
  const { bytes: maxBytes, files: maxFiles } = context.settings.unusedFilesMax
  const message = `There is no room for this file: at most ${maxFiles} files with ${maxBytes} bytes together may be unused by a generation. Use or delete some first.`
  return new Refusal('payload_too_large', { maxBytes, maxFiles, unusedBytes: bytes, unusedFiles: files }, { message })
}
