import type { PublicGeneration } from '../../contract/generation.ts'
import { Refusal } from '../../contract/refusals.ts'
import type { Spender } from '../access/spender.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { awaitChange } from './awaitChange.ts'
import { presentGeneration } from './presentGeneration.ts'
import { readGeneration } from './readGeneration.ts'
import { holderWith } from './resultToken.ts'

const keyLives = statement<{ id: string }>('key_lives', 'select id from api_keys where id = $1 and revoked_at is null')

/**
 * The generation in its public shape, at once or when it has ended or `waitSeconds` (0 to 60) have passed, or `signal` aborts.
 * A key that was revoked during the wait gets nothing.
 * Refusals: generation_not_found, invalid_token. Spec: GET /generations/{id}.
 */
export async function getGeneration(
  context: Context,
  spender: Spender,
  id: string,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<PublicGeneration> {
  const read = () => readGeneration(context, spender.ownerId, id)
  if (waitSeconds === 0) return presentGeneration(context, await read(), holderWith(spender.keyId))
  const row = await awaitChange(context, id, { waitSeconds, signal, read, done: (value) => value.finishedAt !== null })
  if (spender.keyId !== null && !(await context.sql.one(keyLives, [spender.keyId]))) throw new Refusal('invalid_token')
  return presentGeneration(context, row, holderWith(spender.keyId))
}
