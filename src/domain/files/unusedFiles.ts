import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** The files of an owner that no generation has used, those that failed apart, as insertFile and the database count them. */
export type UnusedFiles = { files: number; bytes: number }

const counted = statement<UnusedFiles>('unused_files_of', 'select files, bytes from unused_files where owner_id = $1')

export async function unusedFilesOf(context: Context, ownerId: string): Promise<UnusedFiles> {
  return (await context.sql.one(counted, [ownerId])) ?? { files: 0, bytes: 0 }
}

/**
 * Lets an upload begin while there is room for any more of the owner's unused files; whether there is for this one is told when it is
 * kept. Refusals: payload_too_large.
 */
export async function requireUnusedFileQuota(context: Context, ownerId: string): Promise<void> {
  const unused = await unusedFilesOf(context, ownerId)
  const { bytes, files } = context.settings.unusedFilesMax
  if (unused.files >= files || unused.bytes >= bytes) throw tooManyUnused(context, unused)
}

export function tooManyUnused(context: Context, { files, bytes }: UnusedFiles): Refusal {
  const { bytes: maxBytes, files: maxFiles } = context.settings.unusedFilesMax
  const message = `Files that no generation has used may be ${maxFiles} and hold ${maxBytes} bytes together; there is no room for this one. Use or delete some first.`
  return new Refusal('payload_too_large', { maxBytes, maxFiles, unusedBytes: bytes, unusedFiles: files }, { message })
}
