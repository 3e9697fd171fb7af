import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../context.ts'
import { recordAudit } from '../recordAudit.ts'
import { statement } from '../sql.ts'
import { notReadySeconds } from './findInputs.ts'

const findOwner = statement<{ ownerId: string }>('owner_of_file', 'select owner_id from files where id = $1')
const remove = statement<{ verdict: 'deleted' | 'unknown' | 'needed' }>('delete_file', 'select delete_file($1, $2) as verdict')

/**
 * Deletes a file in any state. `ownerId` limits the call to files of this owner; `undefined` sets no limit. Generations that used the
 * file keep its identifier. A job deletes the content after the commit; a running inspection finds no file and ends.
 * Refusals: file_not_found, also when it was already deleted; file_not_ready while unfinished work has it as an input.
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

/** The refusal to delete a file or a result that unfinished work has as an input. */
export function fileInUse(id: string): Refusal {
  const details = { fileIds: [id], retryAfterSeconds: notReadySeconds }
  return new Refusal('file_not_ready', details, {
    message: 'Unfinished work uses it as an input. Repeat the request when that work has ended.',
  })
}
