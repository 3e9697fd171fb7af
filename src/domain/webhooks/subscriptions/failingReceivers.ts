import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/**
 * `recent`: receivers with a delivery today or yesterday in UTC. `teams`: teams with a failing receiver. `since`: the oldest event that is
 * still retried, null if there is none.
 */
type FailingReceivers = { recent: number; failing: number; teams: number; since: Date | null }

const count = statement<FailingReceivers>(
  'failing_receivers',
  `select count(*)::integer as recent, (count(*) filter (where last_delivery_outcome <> 'delivered'))::integer as failing,
      (count(distinct team_id) filter (where last_delivery_outcome <> 'delivered'))::integer as teams,
      (select min(created_at) from webhook_deliveries where retries_left is not null and state = 'retrying') as since
     from webhook_subscriptions
     where deleted_at is null and (not paused or kind = 'callbacks') and auto_paused_at is null and last_delivery_day >= utc_day(present()) - 1`,
)

/** Counts the receivers of all teams, and those whose last attempt failed. Leaves out paused receivers. Hosts of callbacks count too. */
export async function failingReceivers({ sql }: Pick<Context, 'sql'>): Promise<FailingReceivers> {
  return (await sql.one(count, [])) ?? { recent: 0, failing: 0, teams: 0, since: null }
}
