import { limits } from '../../../contract/limits.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { callerFieldsOf } from '../../../contract/shapes/callerFields.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** The key, after the person and a line break for a run by a person; its scope (a team); and the fingerprint of the request. */
export type Idempotency = { scope: string; key: string; fingerprint: Buffer }

const readReplay = statement<{ fingerprint: Buffer; response: PublicGeneration }>(
  'earlier_start',
  `select fingerprint, response from idempotency_records where scope = $1 and key = $2
     and created_at > present() - $3 * interval '1 hour'`,
)

/** The answer to an earlier start with the same key; `undefined` when there is none. Refusals: idempotency_conflict. */
export async function findReplay(context: Context, { scope, key, fingerprint }: Idempotency): Promise<PublicGeneration | undefined> {
  const earlier = await context.sql.one(readReplay, [scope, key, limits.idempotencyHours])
  if (!earlier) return undefined
  if (!earlier.fingerprint.equals(fingerprint))
    throw new Refusal('idempotency_conflict', { idempotencyKey: key.slice(key.indexOf('\n') + 1) })
  // A response stored by an older release lacks newer fields.
  return { ...earlier.response, ...callerFieldsOf(earlier.response) }
}
