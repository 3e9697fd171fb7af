import { batchLoader } from '../../batchLoader.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const healthDays = 30

/** Delivered deliveries and failed attempts of one day in UTC. */
export type WebhookDay = { day: string; delivered: number; failed: number }

const read = statement<WebhookDay & { id: string }>(
  'webhook_days',
  `select s.id, d.day::text, coalesce(sum(h.delivered), 0)::integer as delivered, coalesce(sum(h.failed), 0)::integer as failed
     from (select distinct unnest($1::text[]) as id) s
     cross join generate_series(utc_day(present()) - ${healthDays - 1}, utc_day(present()), interval '1 day') as days (at)
     cross join lateral (select days.at::date as day) d
     left join webhook_hours h on h.subscription_id = s.id
       and h.hour >= d.day::timestamp at time zone 'UTC' and h.hour < (d.day + 1)::timestamp at time zone 'UTC'
     group by s.id, d.day order by s.id, d.day`,
)

const load = batchLoader<string, WebhookDay[]>(async (sql, ids) => {
  const rows = await sql.all(read, [ids])
  return ids.map((wanted) => rows.filter(({ id }) => id === wanted).map(({ day, delivered, failed }) => ({ day, delivered, failed })))
})

/** The attempts of a subscription on each of the last 30 days in UTC, oldest first. Reads of several subscriptions are batched. */
export async function webhookDays(context: Context, id: string): Promise<WebhookDay[]> {
  return (await load(context, id)) ?? []
}
