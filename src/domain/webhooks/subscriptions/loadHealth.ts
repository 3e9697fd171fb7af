import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

export const healthHours = 24
/** Counts of open deliveries stop here. */
export const openCountMax = 1_000

/** Delivered deliveries and failed attempts of one hour. `hour` is its start, a full hour in UTC. */
export type WebhookHour = { hour: Date; delivered: number; failed: number }

/**
 * Numbers of open deliveries. `waiting`: not attempted since they were recorded or sent again. `retrying`: failed, and will be retried.
 */
export type WebhookHealth = { hours: WebhookHour[]; waiting: number; retrying: number }

const read = statement<{
  id: string
  thisHour: Date
  hours: [secondsAgo: number, delivered: number, failed: number][]
  waiting: number
  retrying: number
}>(
  'webhook_health',
  `select s.id, this_hour,
       array(
         select array[extract(epoch from this_hour - h.hour)::integer, h.delivered, h.failed] from webhook_hours h
           where h.subscription_id = s.id and h.hour > this_hour - ${healthHours} * interval '1 hour' and h.hour <= this_hour
       ) as hours,
       ${openOf('pending')} as waiting, ${openOf('retrying')} as retrying
     from unnest($1::text[]) s (id) cross join date_trunc('hour', present(), 'UTC') this_hour`,
)

function openOf(state: 'pending' | 'retrying'): string {
  return `(select count(*)::integer from (
      select from webhook_deliveries d where d.subscription_id = s.id and d.state = '${state}'
        limit ${openCountMax}
    ) open)`
}

/**
 * Loads the hourly counters of subscriptions, for the current hour and the 23 before it, in the order of `ids`.
 * Failures count attempts, not deliveries: a failing receiver shows ten minutes before its first delivery is closed as failed.
 */
export async function loadHealth(context: Context, ids: readonly string[]): Promise<WebhookHealth[]> {
  const found = new Map((await context.sql.all(read, [ids])).map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = found.get(id)
    if (!row) return { hours: [], waiting: 0, retrying: 0 }
    const counted = new Map(row.hours.map(([secondsAgo, delivered, failed]) => [secondsAgo, { delivered, failed }]))
    const hours = Array.from({ length: healthHours }, (_, index) => {
      const secondsAgo = (healthHours - 1 - index) * 3600
      return { hour: new Date(row.thisHour.getTime() - secondsAgo * 1000), delivered: 0, failed: 0, ...counted.get(secondsAgo) }
    })
    return { hours, waiting: row.waiting, retrying: row.retrying }
  })
}
