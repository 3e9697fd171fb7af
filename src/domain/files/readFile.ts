import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { StoredFile } from '../../entities/StoredFile.ts'
import type { Context } from '../context.ts'
import { findFile } from './fileRows.ts'

/**
 * Reads a file. `ownerId` limits the call to files of this owner; `undefined` sets no limit. An expired file counts as unknown.
 * Refusals: file_not_found. Contract: docs/contract.md#get-a-file.
 */
export async function readFile(context: Context, ownerId: string | undefined, id: string): Promise<StoredFile> {
  const file = isId('file', id) ? await findFile(context, id) : undefined
  const isAccessible = file && (ownerId === undefined || file.ownerId === ownerId) && file.expiresAt > context.clock.now()
  if (!isAccessible) throw new Refusal('file_not_found', { ids: [id], field: null })
  return file
}
