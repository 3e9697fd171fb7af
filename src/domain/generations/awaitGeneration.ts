import { awaitChange } from '../../concurrency/awaitChange.ts'
import type { PublicGeneration } from '../../contract/generation.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { isStillTheirs } from './isStillTheirs.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readGeneration } from './readGeneration.ts'
import { holderFor } from './resultToken.ts'

const keyLives = statement<{ id: string }>('key_lives', 'select id from api_keys where id = $1 and key_lives(revoked_at, expires_at)')

/** How long somebody waits, 0 to 60 seconds, and what ends it before. */
export type Wait = { waitSeconds: number; signal: AbortSignal }

/**
 * The generation in its public shape, when it has ended or the wait is over.
 * A key that was revoked or expired during the wait gets nothing, nor does a person who left the team meanwhile.
 * Refusals: generation_not_found, invalid_token. Contract: section 3, `wait`.
 */
export async function awaitGeneration(
  context: Context,
  spender: Pick<Spender, 'ownerId' | 'keyId'>,
  id: string,
  wait: Wait,
): Promise<PublicGeneration> {
  const read = () => readGeneration(context, spender.ownerId, id)
  const subscribe = (notice: () => void) => context.notices.subscribe('generation', id, notice)
  const row = await awaitChange({ ...wait, subscribe, read, done: (value) => value.finishedAt !== null })
  if (spender.keyId !== null && !(await context.sql.one(keyLives, [spender.keyId]))) throw new Refusal('invalid_token')
  if (!(await isStillTheirs(context, spender.ownerId))) throw new Refusal('generation_not_found')
  return presentGeneration(context, row, holderFor(context.actor))
}
