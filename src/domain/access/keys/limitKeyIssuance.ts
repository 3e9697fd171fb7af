import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** More than any person issues by hand; revoked ones count, too, since rows of keys stay. */
const keysPerDay = 200

/** Keys that one person issues at once are counted one after another. */
const lockPerson = statement<{ id: string }>('lock_person_to_issue', 'select id from users where id = $1 for no key update')

/** Identifiers grow with time, so that the index of a person's keys leads to the one. */
const waitFor = statement<{ waitSeconds: number }>(
  'wait_for_new_key',
  `select ceil(extract(epoch from created_at + interval '1 day' - present()))::integer as wait_seconds
     from api_keys where user_id = $1 order by id desc offset ${keysPerDay - 1} limit 1`,
)

/**
 * Bounds the keys that somebody who has signed in issues: a member with a script could bury those that the team's owners look after.
 * Runs in the transaction that makes the key. Refusals: rate_limited with the seconds until the next may be issued. Tools are free.
 * Locks: the person.
 */
export async function limitKeyIssuance({ actor, sql }: Context): Promise<void> {
  if (actor.kind !== 'person') return
  await sql.one(lockPerson, [actor.userId])
  const retryAfterSeconds = (await sql.one(waitFor, [actor.userId]))?.waitSeconds ?? 0
  if (retryAfterSeconds <= 0) return
  const message = `You have issued ${keysPerDay} keys within a day: that is as many as one person may. Go on tomorrow.`
  throw new Refusal('rate_limited', { limit: keysPerDay, retryAfterSeconds }, { message })
}
