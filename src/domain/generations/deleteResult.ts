import type { PublicGeneration } from '../../contract/generation.ts'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { Actor } from '../access/actor.ts'
import type { Spender } from '../access/spender.ts'
import { type Context, transaction } from '../context.ts'
import { neededByWork } from '../files/deleteFile.ts'
import { notReadySeconds } from '../files/findInputs.ts'
import { noteAct } from '../noteAct.ts'
import { statement } from '../sql.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readGeneration } from './readGeneration.ts'
import { holderFor } from './resultToken.ts'

type Verdict = 'deleted' | 'nothing' | 'unknown' | 'unfinished' | 'needed'

const remove = statement<{ verdict: Verdict }>('delete_result', 'select delete_result($1, $2, $3) as verdict')

/**
 * Deletes what a generation has made, as often as it is asked: the record stays and says since when, all links are dead at once, and the
 * objects go after the commit, by jobs. Work that ended without a result stays as it is. Gives the generation as it then stands.
 * Refusals: generation_not_found; file_not_ready while the work has not ended, and while other unfinished work has its result as an
 * input. Locks: generation. Contract: docs/contract.md#delete-a-result.
 */
export async function deleteResult(context: Context, { ownerId }: Pick<Spender, 'ownerId'>, id: string): Promise<PublicGeneration> {
  const deletion = isId('gen', id) ? await transaction(context, (inside) => removeNoted(inside, ownerId, id)) : undefined
  switch (deletion?.verdict) {
    case 'unfinished':
      throw new Refusal('file_not_ready', { fileIds: [id], retryAfterSeconds: notReadySeconds }, { message: unfinished })
    case 'needed':
      throw neededByWork(id)
    case 'deleted':
    case 'nothing':
      return presentGeneration(context, await readGeneration(context, ownerId, id), holderFor(context.actor))
    case 'unknown':
    case undefined:
      throw new Refusal('generation_not_found')
  }
}

async function removeNoted(inside: Context, ownerId: string, id: string): Promise<{ verdict: Verdict } | undefined> {
  const deletion = await inside.sql.one(remove, [id, ownerId, nameOf(inside.actor)])
  if (deletion?.verdict === 'deleted')
    await noteAct(inside, { action: 'result.deleted', teamId: isId('team', ownerId) ? ownerId : null, subjectId: id })
  return deletion
}

const unfinished = 'The work has not ended, so that it has no result yet; it can be cancelled.'

/** By whom, as the row keeps it. */
function nameOf(actor: Actor): string {
  if (actor.kind === 'key') return actor.keyId
  return actor.kind === 'person' ? actor.userId : actor.kind
}
