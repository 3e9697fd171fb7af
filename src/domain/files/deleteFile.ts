import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { neededByWork } from './neededByWork.ts'

const remove = statement<{ verdict: 'deleted' | 'unknown' | 'needed' }>('delete_file', 'select delete_file($1, $2) as verdict')

/**
 * Deletes the file of that identifier, whatever its state; `ownerId` limits it to what is theirs, `undefined` to nothing. What used it
 * keeps naming it. Its content goes after the commit, by a job; an inspection that is under way finds nothing any more.
 * Refusals: file_not_found, also for one that was deleted before; file_not_ready while unfinished work has it as an input.
 * Locks: file, the owner's count of unused files. Contract: section 3, Additions.
 */
export async function deleteFile(context: Context, ownerId: string | undefined, id: string): Promise<void> {
  const deletion = isId('file', id) ? await context.sql.one(remove, [id, ownerId ?? null]) : undefined
  if (deletion?.verdict === 'needed') throw neededByWork(id)
  if (deletion?.verdict !== 'deleted') throw new Refusal('file_not_found', { ids: [id], field: null })
}
