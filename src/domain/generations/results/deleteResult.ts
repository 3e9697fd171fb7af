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
 * Deletes what a generation has made, as often as it is asked: the record stays and says since when, all links are dead at once, and the
 * objects go after the commit, by jobs. Work that ended without a result stays as it is. Gives the generation as it then stands.
 * Refusals: generation_not_found; file_not_ready while the work has not ended, and while other unfinished work has its result as an
 * input. Locks: generation. Contract: docs/contract.md#delete-a-result.
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

/** By whom, as the row keeps it. */
function nameOf(actor: Actor): string {
  if (actor.kind === 'key') return actor.keyId
  return actor.kind === 'person' ? actor.userId : actor.kind
}
