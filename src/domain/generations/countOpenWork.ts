import type { Services } from '../context.ts'
import { bindSql, statement } from '../sql.ts'

/** Counts beyond this are told as this: what they say is the same, and counting on would cost more than the work. */
const countedMax = 100_000

/** How much of one kind is open in the whole deployment. */
export type OpenWork = { kind: string; count: number }

const openWork = statement<OpenWork>(
  'metrics_open_work',
  `select 'generations_' || state as kind, count(*)::integer
     from (select state from generations where finished_at is null limit ${countedMax}) as open group by state
   union all select 'jobs_waiting', count(*)::integer
     from (select from graphile_worker.jobs where locked_at is null and attempts < max_attempts limit ${countedMax}) as waiting
   union all select 'jobs_running', count(*)::integer from (select from graphile_worker.jobs where locked_at is not null limit ${countedMax}) as running
   union all select 'webhooks_waiting', count(*)::integer from (select from webhook_deliveries where retries_left is not null limit ${countedMax}) as queued`,
)

/** Counts the generations, jobs and deliveries that have not ended, at a cost that does not grow with those that have. */
export function countOpenWork({ pool }: Pick<Services, 'pool'>): Promise<OpenWork[]> {
  return bindSql(pool).all(openWork, [])
}
