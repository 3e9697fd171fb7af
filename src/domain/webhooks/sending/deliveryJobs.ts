import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const add = statement<never>('add_webhook_jobs', 'select add_webhook_jobs($1, $2, $3)')
const mend = statement<{ queued: number }>('mend_webhook_jobs', 'select mend_webhook_jobs($1) as queued')
const carryOver = statement<{ carried: number }>('carry_over_webhook_queue', 'select carry_over_webhook_queue() as carried')

/** What a subscription is called among the locks of sessions: whoever holds it delivers to it. */
export function deliveryLockOf(subscriptionId: string): string {
  return `webhook:${subscriptionId}`
}

/** Queues the job of each subscription to run at once, in the transaction of the context. */
export async function enqueueDeliveries(context: Context, subscriptionIds: readonly string[]): Promise<void> {
  await context.sql.all(add, [subscriptionIds, 0, false])
}

/** Queues the job of a subscription to run in so many seconds, unless one waits that runs earlier. */
export async function scheduleDelivery(context: Context, subscriptionId: string, seconds: number): Promise<void> {
  await context.sql.all(add, [[subscriptionId], seconds, true])
}

/**
 * Queues what has been due for `lateSeconds` without anybody to deliver it: after a process has died, and wherever else a job got lost.
 * What is due stands in the deliveries, so that no job has to be believed in. Returns how many subscriptions there were.
 */
export async function requeueLostDeliveries(context: Context, lateSeconds: number): Promise<number> {
  return (await context.sql.one(mend, [lateSeconds]))?.queued ?? 0
}

/** Takes over what processes of the release before have recorded and not begun to deliver. Returns how many deliveries. */
export async function importLegacyQueue(context: Context): Promise<number> {
  return (await context.sql.one(carryOver, []))?.carried ?? 0
}
