import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import { addOrigin } from '../../webhooks/callbacks/openCallback.ts'
import { lockTeam } from '../../webhooks/subscriptions/createSubscription.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { recordEndEvent } from './endGeneration.ts'

const pageSize = 100

const missed = statement<{ id: string }>(
  'missed_callbacks',
  `select c.generation_id as id from callbacks c
     cross join lateral (select from generations g where g.id = c.generation_id and g.finished_at is not null offset 0) as ended
     where c.delivery_id is null and c.generation_id > $1 order by c.generation_id limit ${pageSize}`,
)

/**
 * Records the callbacks of ended generations that are not recorded: a process of the previous release ended them. A callback that fails
 * does not stop the others; throws at the end if one failed. Returns the number. Locks: those of {@link recordOne}.
 */
export async function recordMissedCallbacks(context: Context): Promise<number> {
  const failures: unknown[] = []
  let recorded = 0
  for (let after = ''; ; ) {
    const page = await context.sql.all(missed, [after])
    for (const { id } of page) {
      try {
        await transaction(context, (inside) => recordOne(inside, id))
        recorded += 1
      } catch (error) {
        context.log.error({ generationId: id, error }, 'a callback could not be recorded')
        failures.push(error)
      }
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    after = last.id
  }
  if (failures.length > 0) throw new AggregateError(failures, 'callbacks could not be recorded')
  return recorded
}

type Waiting = { url: string; hasOrigin: boolean }

const findTeam = statement<{ teamId: string }>(
  'team_of_missed_callback',
  'select team_id from callbacks where generation_id = $1 and delivery_id is null',
)
const lock = statement<Waiting>(
  'lock_missed_callback',
  `select c.url, exists (select from webhook_subscriptions s where s.id = c.subscription_id and s.deleted_at is null) as has_origin
     from callbacks c where c.generation_id = $1 and c.delivery_id is null for no key update of c skip locked`,
)
const setOrigin = statement<never>('set_callback_origin', 'update callbacks set subscription_id = $2 where generation_id = $1')
const deleteCallback = statement<never>('delete_callback', 'delete from callbacks where generation_id = $1')

/**
 * Makes the queue of the origin anew if it was pruned. Locks: the team, the callback, subscriptions. The deletion of a team takes the same
 * order.
 */
async function recordOne(inside: Context, generationId: string): Promise<void> {
  const { sql } = inside
  const teamId = (await sql.one(findTeam, [generationId]))?.teamId
  if (teamId === undefined) return
  const team = await sql.one(lockTeam, [teamId])
  const waiting = await sql.one(lock, [generationId])
  if (!waiting) return
  const ended = await findGeneration(inside, generationId)
  if (!team || !ended) return void (await sql.all(deleteCallback, [generationId]))
  if (!waiting.hasOrigin) {
    const origin = await addOrigin(inside, { teamId, origin: new URL(waiting.url).origin, isBounded: false })
    await sql.all(setOrigin, [generationId, origin])
  }
  await recordEndEvent(inside, ended, { only: 'callback' })
}
