import type { PublicAccount } from '../contract/shapes/account.ts'
import type { Settings } from './context.ts'

/** The number and size of an owner's files that no generation has used, without failed ones. insertFile and the database count them. */
export type UnusedFiles = { files: number; bytes: number }

/** What an owner has of the quota, in its public names. Contract: docs/contract.md#quota-of-unused-files. */
export function fileQuotaOf(
  { settings }: { settings: Pick<Settings, 'unusedFilesMax'> },
  { files, bytes }: UnusedFiles,
): PublicAccount['files'] {
  const { files: filesMax, bytes: bytesMax } = settings.unusedFilesMax
  return { filesUsed: files, filesMax, bytesUsed: bytes, bytesMax }
}
