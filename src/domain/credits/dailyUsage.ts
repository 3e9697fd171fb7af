import { firstIdAt } from '../../contract/ids.ts'
import { invalidRequest } from '../../contract/refusals/refusals.ts'
import type { Span, UsageFilter } from '../../contract/shapes/usage.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'
import { readSpan } from './usageOf.ts'
import { endedOfFamily, endedOfKey } from './usageSums.ts'

/**
 * The usage of one key or family on one day (UTC, `YYYY-MM-DD`). `timed`: how many ready generations the seconds are measured over: the newest
 * that started on the day. The seconds are null if there are none.
 */
export type DailyUsage = {
  day: string
  generations: number
  ready: number
  failed: number
  cancelled: number
  charged: Hundredths
  timed: number
  medianSeconds: number | null
  p95Seconds: number | null
  /** Queue: before the provider began. Run: after it. Without `started_at` the queue time is 0. */
  medianQueueSeconds: number | null
  p95QueueSeconds: number | null
  medianRunSeconds: number | null
  p95RunSeconds: number | null
}

/** The generations of a day whose duration is read. A day may have millions. */
export const timedPerDay = 200

/**
 * Reads each day by one index range. An index range over all days would read every key and family of the team. The generations are read in the
 * order of the index, as in historyScans.ts: for equal columns PostgreSQL expects one row, so it would read a whole day and sort.
 */
const dailyUsageBy = (name: string, { ended, column }: { ended: string; column: string }): Statement<DailyUsage> =>
  statement<DailyUsage>(
    name,
    `select asked.day::text, counted.*, timing.*
       from unnest($3::date[], $4::text[], $5::text[]) as asked (day, first_id, next_id)
       cross join lateral (
         select sum(ready + failed + cancelled)::bigint as generations, sum(ready)::bigint as ready, sum(failed)::bigint as failed,
             sum(cancelled)::bigint as cancelled, sum(charged)::bigint as charged
           from (${ended}) as ended
       ) as counted
       cross join lateral (
         select count(*)::integer as timed, ${timesOf('', 'finished_at - created_at')},
             ${timesOf('queue_', 'started_at - created_at')}, ${timesOf('run_', 'finished_at - started_at')}
           from (
             select id, ${column}, state, owner_id, account_id, created_at, coalesce(started_at, created_at) as started_at, finished_at
               from generations
               where ${column} is not null and (${column}, state, owner_id, id) < ($6, 'ready', $2, asked.next_id)
               order by ${column} desc, state desc, owner_id desc, id desc limit (select ${timedPerDay})
           ) newest where ${column} = $6 and state = 'ready' and owner_id = $2 and id >= asked.first_id and account_id = $1
       ) as timing
       where counted.generations > 0 order by asked.day`,
  )

/** SQL: the median and the 95th percentile of an interval in seconds. */
function timesOf(name: string, time: string): string {
  const seconds = `within group (order by extract(epoch from ${time})::double precision)`
  return `percentile_cont(0.5) ${seconds} as median_${name}seconds, percentile_cont(0.95) ${seconds} as p95_${name}seconds`
}

const ofKey = dailyUsageBy('daily_usage_of_key', { ended: endedOfKey, column: 'key_id' })
const ofFamily = dailyUsageBy('daily_usage_of_family', { ended: endedOfFamily, column: 'family_id' })

/**
 * Returns the days of the span with usage of one key or one family: what ended, what it cost, and the time from the start to the end of
 * ready generations. Refusals: invalid_request at `keyId` unless exactly one of both is named, and at `to` as {@link usageOf}.
 * Contract: docs/contract.md#get-the-usage.
 */
export async function dailyUsageOf(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { keyId, familyId, ...span }: Span & UsageFilter,
): Promise<DailyUsage[]> {
  const id = keyId || familyId
  if (!id || (keyId && familyId)) throw keyOrFamilyRequired()
  const days = daysBetween(...readSpan(span))
  const bounds = [0, 1].map((later) => days.map((day) => firstIdAt('gen', new Date(Date.parse(day) + later * dayMs))))
  const values = [accountId, ownerId, days, ...bounds, id]
  return context.history.read(context.sql, (sql) => sql.all(keyId ? ofKey : ofFamily, values))
}

const dayMs = 86_400_000

function daysBetween(first: Date, last: Date): string[] {
  const start = Math.floor(first.getTime() / dayMs)
  const count = Math.floor(last.getTime() / dayMs) - start + 1
  return Array.from({ length: count }, (_, at) => new Date((start + at) * dayMs).toISOString().slice(0, 10))
}

function keyOrFamilyRequired() {
  return invalidRequest({ in: 'body', path: ['keyId'], code: 'not_allowed', message: 'Takes a key or a family, exactly one of them.' })
}
