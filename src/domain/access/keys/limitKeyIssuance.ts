import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** More than a person issues by hand. Revoked keys count too, because their rows stay. */
const keysPerDay = 200

/** Serializes concurrent issues by one person, so that each is counted. */
const lockPerson = statement<{ id: string }>('lock_person_to_issue', 'select id from users where id = $1 for no key update')

/** Identifiers are ordered by time, so the index by person and id finds the oldest key of the last 200. */
const waitFor = statement<{ waitSeconds: number }>(
  'wait_for_new_key',
  `select ceil(extract(epoch from created_at + interval '1 day' - present()))::integer as wait_seconds
     from api_keys where user_id = $1 order by id desc offset ${keysPerDay - 1} limit 1`,
)

/**
 * Limits the keys that a person issues, in the browser or by a key, so that a script of a member cannot flood the key list of the team. Internal tools have
 * no limit. Runs in the transaction that inserts the key. Refusals: rate_limited with the seconds until the next key is allowed.
 * Locks: the person.
 */
export async function limitKeyIssuance({ actor, sql }: Context): Promise<void> {
  if (actor.kind !== 'person' && actor.kind !== 'key') return
  await sql.one(lockPerson, [actor.userId])
  const retryAfterSeconds = (await sql.one(waitFor, [actor.userId]))?.waitSeconds ?? 0
  if (retryAfterSeconds <= 0) return
  const message = `You have issued ${keysPerDay} keys within a day, which is the limit for one person. Try again tomorrow.`
  throw new Refusal('rate_limited', { limit: keysPerDay, retryAfterSeconds }, { message })
}
