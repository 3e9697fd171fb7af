import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const add = statement<never>('add_webhook_jobs', 'select add_webhook_jobs($1, $2, $3)')
const requeueLost = statement<{ queued: number }>('requeue_lost_webhook_jobs', 'select requeue_lost_webhook_jobs($1) as queued')

const teams = statement<{ id: string; teamId: string }>(
  'teams_of_subscriptions',
  'select id, team_id from webhook_subscriptions where id = any($1)',
)

/** The teams of subscriptions, in the order of `subscriptionIds`; `undefined` for deleted ones. */
export async function teamsOfSubscriptions(context: Context, subscriptionIds: readonly string[]): Promise<(string | undefined)[]> {
  const found = new Map((await context.sql.all(teams, [subscriptionIds])).map(({ id, teamId }) => [id, teamId]))
  return subscriptionIds.map((id) => found.get(id))
}

/** Name of the session lock of a subscription. Only its holder sends deliveries to the subscription. */
export function deliveryLockOf(subscriptionId: string): string {
  return `webhook:${subscriptionId}`
}

/** Queues the job of each subscription to run at once, in the transaction of the context. */
export async function enqueueDeliveries(context: Context, subscriptionIds: readonly string[]): Promise<void> {
  await context.sql.all(add, [subscriptionIds, 0, false])
}

/** Queues the job of a subscription to run in `seconds`, unless a job is already due earlier. */
export async function scheduleDelivery(context: Context, subscriptionId: string, seconds: number): Promise<void> {
  await context.sql.all(add, [[subscriptionId], seconds, true])
}

/**
 * Queues a job for each subscription with a delivery that has been due for `lateSeconds`: its job was lost, for example in a crash.
 * The deliveries are the source of truth, the jobs are not. Returns the number of subscriptions.
 */
export async function requeueLostDeliveries(context: Context, lateSeconds: number): Promise<number> {
  return (await context.sql.one(requeueLost, [lateSeconds]))?.queued ?? 0
}
