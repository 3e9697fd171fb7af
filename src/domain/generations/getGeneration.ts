import { awaitChange } from '../../concurrency/awaitChange.ts'
import type { PublicGeneration } from '../../contract/generation.ts'
import { Refusal } from '../../contract/refusals.ts'
import { rolesOf } from '../access/rolesOf.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readForAnswer, readGeneration } from './readGeneration.ts'
import { holderFor } from './resultToken.ts'

const keyLives = statement<{ id: string }>('key_lives', 'select id from api_keys where id = $1 and key_lives(revoked_at, expires_at)')

/**
 * The generation in its public shape, at once or when it has ended or `waitSeconds` (0 to 60) have passed, or `signal` aborts.
 * A key that was revoked or expired during the wait gets nothing, nor does a person who left the team meanwhile.
 * Refusals: generation_not_found, invalid_token. Spec: GET /generations/{id}.
 */
export async function getGeneration(
  context: Context,
  spender: Pick<Spender, 'ownerId' | 'keyId'>,
  id: string,
  wait?: { waitSeconds: number; signal: AbortSignal },
): Promise<PublicGeneration> {
  if (!wait) return presentGeneration(context, await readForAnswer(context, spender.ownerId, id), holderFor(context.actor))
  const read = () => readGeneration(context, spender.ownerId, id)
  const subscribe = (notice: () => void) => context.notices.subscribe('generation', id, notice)
  const row = await awaitChange({ ...wait, subscribe, read, done: (value) => value.finishedAt !== null })
  if (spender.keyId !== null && !(await context.sql.one(keyLives, [spender.keyId]))) throw new Refusal('invalid_token')
  if (!(await isStillTheirs(context, spender.ownerId))) throw new Refusal('generation_not_found')
  return presentGeneration(context, row, holderFor(context.actor))
}

async function isStillTheirs(context: Context, ownerId: string): Promise<boolean> {
  const { actor } = context
  return actor.kind !== 'person' || actor.userId === ownerId || (await rolesOf(context, actor.userId)).has(ownerId)
}
