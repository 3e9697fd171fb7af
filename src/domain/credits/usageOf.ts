import { invalidRequest } from '../../contract/refusals.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'

export const usageGroups = ['day', 'key', 'family'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** What one day (UTC, `YYYY-MM-DD`), key or family came to. `group` is null for what no key started. */
export type Usage = { group: string | null; generations: number; ready: number; failed: number; cancelled: number; charged: Hundredths }

const usageBy = (name: UsageGroup, group: string, order: string): Statement<Usage> =>
  statement<Usage>(
    `usage_by_${name}`,
    `select ${group} as "group", count(*)::integer as generations, count(*) filter (where state = 'ready')::integer as ready,
         count(*) filter (where state = 'failed')::integer as failed, count(*) filter (where state = 'cancelled')::integer as cancelled,
         sum(credits_charged)::bigint as charged
       from generations where account_id = $1 and owner_id = $2 and finished_at >= $3 and finished_at < $4
       group by 1 order by ${order}`,
  )

const statements: Record<UsageGroup, Statement<Usage>> = {
  day: usageBy('day', `to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD')`, '1'),
  key: usageBy('key', 'key_id', 'charged desc, 1'),
  family: usageBy('family', 'family_id', 'charged desc, 1'),
}

/**
 * What the generations that ended from `from` until before `to` came to, on one account and in one owner's history: days in their
 * order, keys and families by what they cost. Groups without any are left out.
 * Refusals: invalid_request at `to` for an empty span.
 */
export async function usageOf(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { from, to, by }: { from: Date; to: Date; by: UsageGroup },
): Promise<Usage[]> {
  if (!(from < to)) throw invalidRequest({ in: 'body', path: ['to'], code: 'too_small', message: 'Takes a moment after `from`.' })
  return context.sql.all(statements[by], [accountId, ownerId, from, to])
}
