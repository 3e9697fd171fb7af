import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { lastMomentOf, type Span, spanFault, type UsageGroup } from '../../contract/shapes/usage.ts'
import { openStates } from '../../entities/Generation.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'
import { endedOfFamily, endedOfKey, usageOfFamilies, usageOfKeys } from './usageSums.ts'

/**
 * The usage of one day (UTC, `YYYY-MM-DD`), key or family. `group` is null for generations that no key started. `generations` counts
 * ended generations, `active` counts open ones, and `held` is the sum of their holds.
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

/** Literals instead of parameters: the planner must see that these states are rare, or it reads the owner's whole history. */
const openStateList = openStates.map((state) => `'${state}'`).join(', ')

/** `open`: a further condition on open generations. */
type Grouping = { ended: string; column: string; columnOfActive: string; order: string; open?: string }

const usageBy = (name: string, { ended, column, columnOfActive, order, open = 'true' }: Grouping): Statement<Usage> =>
  statement<Usage>(
    name,
    // Groups by the stored column, because formatting the day of every row would take most of the time. Reads one index range of
    // generations per open state, and no ended generation.
    `select "group"::text, sum(ready + failed + cancelled)::bigint as generations, sum(ready)::bigint as ready,
         sum(failed)::bigint as failed, sum(cancelled)::bigint as cancelled, sum(charged)::bigint as charged, sum(active)::bigint as active,
         sum(held)::bigint as held
       from (
         select ${column} as "group", sum(ready) as ready, sum(failed) as failed, sum(cancelled) as cancelled, sum(charged) as charged,
             0 as active, 0 as held
           from ${ended} as ended group by 1
         union all
         select ${columnOfActive}, 0, 0, 0, 0, count(*), sum(price)
           from generations where state in (${openStateList}) and owner_id = $2 and account_id = $1 and ${open}
             and utc_day(created_at) between utc_day($3) and utc_day($4) group by 1
       ) part group by part."group" order by ${order} limit $5`,
  )

const byDay = { column: 'day', columnOfActive: 'utc_day(created_at)', order: 'part."group"' }
const statements: Record<UsageGroup, Statement<Usage>> = {
  day: usageBy('usage_by_day', { ...byDay, ended: usageOfFamilies }),
  key: usageBy('usage_by_key', { ended: usageOfKeys, column: 'key_id', columnOfActive: 'key_id', order: 'charged desc, 1' }),
  family: usageBy('usage_by_family', {
    ended: usageOfFamilies,
    column: 'family_id',
    columnOfActive: 'family_id',
    order: 'charged desc, 1',
  }),
}

/** Reads each day by one index range, like dailyUsage.ts: a range over all days would read every key and family of the team. */
const eachDay = (ended: string) => `(
  select asked.day, ended.* from (select generate_series(utc_day($3), utc_day($4), interval '1 day')::date as day offset 0) as asked
    cross join lateral (${ended}) as ended
)`
const daysOfKey = usageBy('usage_days_of_key', { ...byDay, ended: eachDay(endedOfKey), open: 'key_id = $6' })
const daysOfFamily = usageBy('usage_days_of_family', { ...byDay, ended: eachDay(endedOfFamily), open: 'family_id = $6' })

/** Returns {@link usageOf} by day for one key or one family. Empty for an unknown one. Contract: docs/contract.md#get-the-usage. */
export async function usageDaysOf(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  filter: { keyId: string } | { familyId: string },
  span: Span,
): Promise<Usage[]> {
  const [query, id] = 'keyId' in filter ? [daysOfKey, filter.keyId] : [daysOfFamily, filter.familyId]
  return context.history.read(context.sql, (sql) => sql.all(query, [accountId, ownerId, ...readSpan(span), undefined, id]))
}

/**
 * Sums up an owner's generations on one account: those that ended in the span, and the holds of open ones started in it. The span covers
 * whole days (UTC), from the day of `from` to the day of the last moment before `to`. Days come in order, keys and families by cost, the
 * `first` of them or all. Empty groups are omitted. Refusals: invalid_request at `to` for an empty span and for more than 92 days.
 * Contract: docs/contract.md#get-the-usage.
 */
export async function usageOf(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { by, first, ...span }: Span & { by: UsageGroup; first?: number | undefined },
): Promise<Usage[]> {
  const last = by === 'day' ? undefined : first
  const values = [accountId, ownerId, ...readSpan(span), last]
  return context.history.read(context.sql, (sql) => sql.all(statements[by], values))
}

/** Returns a moment of the first day and a moment of the last day of the span. Refusals: invalid_request at `to`. */
export function readSpan(span: Span): [first: Date, last: Date] {
  const fault = spanFault(span)
  if (fault) throw invalidRequest({ in: 'body', path: ['to'], ...fault })
  return [span.from, lastMomentOf(span)]
}
