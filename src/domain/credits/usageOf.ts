import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { lastMomentOf, type Span, spanFault, type UsageGroup } from '../../contract/shapes/usage.ts'
import { openStates } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'

/**
 * What one day (UTC, `YYYY-MM-DD`), key or family came to. `group` is null for what no key started. `generations` are those that ended;
 * `active` ones go on, and `held` is what they hold.
 */
export type Usage = {
  group: string | null
  generations: number
  ready: number
  failed: number
  cancelled: number
  charged: Hundredths
  active: number
  held: Hundredths
}

/** Written out, since a planner that does not see that they are the rare ones reads all that the owner ever had. */
const openStateList = openStates.map((state) => `'${state}'`).join(', ')

const usageBy = (name: UsageGroup, column: string, columnOfActive: string, order: string): Statement<Usage> =>
  statement<Usage>(
    `usage_by_${name}`,
    // Grouped by what is stored: writing out the day of every row first takes most of the time. Of generations only one stretch of an
    // index is read for each open state, however many have ended.
    `select "group"::text, sum(ready + failed + cancelled)::bigint as generations, sum(ready)::bigint as ready, sum(failed)::bigint as failed,
         sum(cancelled)::bigint as cancelled, sum(charged)::bigint as charged, sum(active)::bigint as active, sum(held)::bigint as held
       from (
         select ${column} as "group", sum(ready) as ready, sum(failed) as failed, sum(cancelled) as cancelled, sum(charged) as charged,
             0 as active, 0 as held
           from usage_days where account_id = $1 and owner_id = $2 and day between utc_day($3) and utc_day($4) group by 1
         union all
         select ${columnOfActive}, 0, 0, 0, 0, count(*), sum(price)
           from generations where state in (${openStateList}) and owner_id = $2 and account_id = $1
             and utc_day(created_at) between utc_day($3) and utc_day($4) group by 1
       ) part group by part."group" order by ${order} limit $5`,
  )

const statements: Record<UsageGroup, Statement<Usage>> = {
  day: usageBy('day', 'day', 'utc_day(created_at)', 'part."group"'),
  key: usageBy('key', 'key_id', 'key_id', 'charged desc, 1'),
  family: usageBy('family', 'family_id', 'family_id', 'charged desc, 1'),
}

/**
 * What the generations that ended on the days from that of `from` to that of the last moment before `to` came to, on one account and in
 * one owner's history, and what those that were started on these days and go on hold: days (UTC, whole ones) in their order, keys and
 * families by what they cost. Groups without any are left out; of keys and families only the `first` so many are given, all unless told.
 * Refusals: invalid_request at `to` for an empty span and for one of more than 92 days. Contract: docs/contract.md#get-the-usage.
 */
export async function usageOf(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { by, first, ...span }: Span & { by: UsageGroup; first?: number | undefined },
): Promise<Usage[]> {
  const last = by === 'day' ? null : (first ?? null)
  const asked = [accountId, ownerId, ...readSpan(span), last]
  return context.history.read(context.sql, (sql) => sql.all(statements[by], asked))
}

/** A moment of the first and one of the last day that count. Refusals: invalid_request at `to`. */
export function readSpan(span: Span): [first: Date, last: Date] {
  const fault = spanFault(span)
  if (fault) throw invalidRequest({ in: 'body', path: ['to'], ...fault })
  return [span.from, lastMomentOf(span)]
}
