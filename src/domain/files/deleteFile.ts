import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../context.ts'
import { recordAudit } from '../recordAudit.ts'
import { statement } from '../sql.ts'
import { notReadySeconds } from './findInputs.ts'

const findOwner = statement<{ ownerId: string }>('owner_of_file', 'select owner_id from files where id = $1')
const remove = statement<{ verdict: 'deleted' | 'unknown' | 'needed' }>('delete_file', 'select delete_file($1, $2) as verdict')

/**
 * Deletes the file of that identifier, whatever its state; `ownerId` limits it to what is theirs, `undefined` to nothing. What used it
 * keeps naming it. Its content goes after the commit, by a job; an inspection that is under way finds nothing any more.
 * Refusals: file_not_found, also for one that was deleted before; file_not_ready while unfinished work has it as an input.
 * Locks: file, the owner's count of unused files. Contract: docs/contract.md#delete-a-file.
 */
export async function deleteFile(context: Context, ownerId: string | undefined, id: string): Promise<void> {
  const deletion = isId('file', id) ? await transaction(context, (inside) => deleteAndAudit(inside, ownerId, id)) : undefined
  if (deletion?.verdict === 'needed') throw fileInUse(id)
  if (deletion?.verdict !== 'deleted') throw new Refusal('file_not_found', { ids: [id], field: null })
}

async function deleteAndAudit(inside: Context, ownerId: string | undefined, id: string) {
  const owner = (await inside.sql.one(findOwner, [id]))?.ownerId ?? ''
  const deletion = await inside.sql.one(remove, [id, ownerId ?? null])
  if (deletion?.verdict === 'deleted')
    await recordAudit(inside, { action: 'file.deleted', teamId: isId('team', owner) ? owner : null, subjectId: id })
  return deletion
}

/** Why a file, or what a generation has made, is not deleted now. */
export function fileInUse(id: string): Refusal {
  const details = { fileIds: [id], retryAfterSeconds: notReadySeconds }
  return new Refusal('file_not_ready', details, { message: 'Work that has not ended needs it as an input. Repeat when it has.' })
}
