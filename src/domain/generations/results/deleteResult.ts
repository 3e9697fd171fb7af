import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Actor } from '../../access/actor.ts'
import type { Spender } from '../../access/spender.ts'
import { type Context, transaction } from '../../context.ts'
import { fileInUse } from '../../files/deleteFile.ts'
import { notReadySeconds } from '../../files/findInputs.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { linkHolderOf } from '../links/resultLink.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'
import { readGeneration } from '../reading/readGeneration.ts'

type Verdict = 'deleted' | 'nothing' | 'unknown' | 'unfinished' | 'needed'

const remove = statement<{ verdict: Verdict }>('delete_result', 'select delete_result($1, $2, $3) as verdict')

/**
 * Deletes the result of a generation. Idempotent. The record stays, with the time of the deletion. All links stop working at once, and jobs
 * remove the objects after the commit. A generation that ended without a result does not change. Returns the generation.
 * Refusals: generation_not_found; file_not_ready before the generation has ended, and while open work uses the result as an input.
 * Locks: generation. Contract: docs/contract.md#delete-a-result.
 */
export async function deleteResult(context: Context, { ownerId }: Pick<Spender, 'ownerId'>, id: string): Promise<PublicGeneration> {
  const deletion = isId('gen', id) ? await transaction(context, (inside) => deleteAndAudit(inside, ownerId, id)) : undefined
  switch (deletion?.verdict) {
    case 'unfinished':
      throw new Refusal('file_not_ready', { fileIds: [id], retryAfterSeconds: notReadySeconds }, { message: unfinished })
    case 'needed':
      throw fileInUse(id)
    case 'deleted':
    case 'nothing':
      return presentGeneration(context, await readGeneration(context, ownerId, id), linkHolderOf(context.actor))
    case 'unknown':
    case undefined:
      throw new Refusal('generation_not_found')
  }
}

async function deleteAndAudit(inside: Context, ownerId: string, id: string): Promise<{ verdict: Verdict } | undefined> {
  const deletion = await inside.sql.one(remove, [id, ownerId, nameOf(inside.actor)])
  if (deletion?.verdict === 'deleted')
    await recordAudit(inside, { action: 'result.deleted', teamId: isId('team', ownerId) ? ownerId : null, subjectId: id })
  return deletion
}

const unfinished = 'The work has not ended, so that it has no result yet; it can be cancelled.'

/** The actor's name for the row. */
function nameOf(actor: Actor): string {
  if (actor.kind === 'key') return actor.keyId
  return actor.kind === 'person' ? actor.userId : actor.kind
}
