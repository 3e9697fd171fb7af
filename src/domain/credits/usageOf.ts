import { type IssueCode, invalidRequest, type Refusal } from '../../contract/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'

export const usageGroups = ['day', 'key', 'family'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** What one day (UTC, `YYYY-MM-DD`), key or family came to. `group` is null for what no key started. */
export type Usage = { group: string | null; generations: number; ready: number; failed: number; cancelled: number; charged: Hundredths }

const usageBy = (name: UsageGroup, column: string, order: string): Statement<Usage> =>
  statement<Usage>(
    `usage_by_${name}`,
    // Grouped by what is stored: writing out the day of every row first takes most of the time.
    `select ${column}::text as "group", sum(ready + failed + cancelled)::bigint as generations, sum(ready)::bigint as ready, sum(failed)::bigint as failed,
         sum(cancelled)::bigint as cancelled, sum(charged)::bigint as charged
       from usage_days where account_id = $1 and owner_id = $2 and day >= utc_day($3) and day <= utc_day($4) group by ${column} order by ${order} limit $5`,
  )

const statements: Record<UsageGroup, Statement<Usage>> = {
  day: usageBy('day', 'day', 'day'),
  key: usageBy('key', 'key_id', 'charged desc, 1'),
  family: usageBy('family', 'family_id', 'charged desc, 1'),
}

/** Contract: section 3, additions, GET /usage. */
const usageDaysMax = 92
const millisecondsOfDay = 86_400_000

/**
 * What the generations that ended on the days from that of `from` to that of the last moment before `to` came to, on one account and in
 * one owner's history: days (UTC, whole ones) in their order, keys and families by what they cost. Groups without any are left out; of
 * keys and families only the `first` so many are given, all unless told.
 * Refusals: invalid_request at `to` for an empty span and for one of more than 92 days. Contract: section 6, usage.
 */
export async function usageOf(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { by, first, ...span }: Span & { by: UsageGroup; first?: number | undefined },
): Promise<Usage[]> {
  return context.sql.all(statements[by], [accountId, ownerId, ...readSpan(span), by === 'day' ? null : (first ?? null)])
}

/** From the day of the first moment to that of the last one before `to`. */
export type Span = { from: Date; to: Date }

/** A moment of the first and one of the last day that count. Refusals: invalid_request at `to`. */
export function readSpan({ from, to }: Span): [first: Date, last: Date] {
  if (!(from < to)) throw refusedSpan('too_small', 'Takes a moment after `from`.')
  const last = new Date(to.getTime() - 1)
  if (dayNumber(last) - dayNumber(from) >= usageDaysMax) throw refusedSpan('too_big', `Takes at most ${usageDaysMax} days.`)
  return [from, last]
}

function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / millisecondsOfDay)
}

function refusedSpan(code: IssueCode, message: string): Refusal {
  return invalidRequest({ in: 'body', path: ['to'], code, message })
}
