import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

const batchSize = 500
/** Deliveries are deleted by month, at the latest one month after the 30 days of the log. */
const keptDays = 95

const tooOld = statement<{ id: string }>(
  'prune_webhook_bodies',
  `delete from webhook_bodies where id = any(array(
     select id from webhook_bodies where created_at < present() - interval '${keptDays} days' order by created_at limit ${batchSize}
       for update skip locked)) returning id`,
)
const ofTeam = statement<{ id: string }>(
  'delete_webhook_bodies_of_team',
  `delete from webhook_bodies where id = any(array(
     select id from webhook_bodies where team_id = $1 and created_at <= present() - $2 * interval '1 day' order by created_at limit ${batchSize}
       for update skip locked)) returning id`,
)

/** Deletes shared bodies that are too old to be referenced by a delivery. Returns their number. Locks: the rows, in batches. */
export function pruneSharedBodies({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return runInBatches(batchSize, async () => (await sql.all(tooOld, [])).length)
}

/** Deletes the shared bodies of a team that are older than `days`; their deliveries are already deleted. Locks: the rows, in batches. */
export function deleteSharedBodiesOfTeam(
  { sql }: Pick<Context, 'sql'>,
  { teamId, days }: { teamId: string; days: number },
): Promise<number> {
  return runInBatches(batchSize, async () => (await sql.all(ofTeam, [teamId, days])).length)
}
