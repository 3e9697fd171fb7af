import type { Span } from '../../contract/shapes/usage.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { type Statement, statement } from '../sql.ts'
import { readSpan } from './usageOf.ts'
import { usageOfDays, usageOfFamilies } from './usageSums.ts'

export const usageSplits = ['key', 'family'] as const
export type UsageSplit = (typeof usageSplits)[number]

/**
 * The usage of one of the most expensive keys or families on one day (UTC, `YYYY-MM-DD`), or with `isRest` of all others together.
 * `group` is null for the rest, and for generations that no key started.
 */
export type UsageOfDay = { day: string; group: string | null; isRest: boolean; generations: number; charged: Hundredths }

const splitBy = (name: string, column: string, ended: string): Statement<UsageOfDay> =>
  statement<UsageOfDay>(
    name,
    `with daily as (
         select day, coalesce(${column}, '') as "group", sum(ready + failed + cancelled) as generations, sum(charged) as charged
           from ${ended} as ended group by 1, 2
       ), dearest as (
         select "group" from daily group by 1 order by sum(charged) desc, sum(generations) desc, 1 limit $5
       )
       select day::text, nullif(dearest."group", '') as "group", dearest."group" is null as is_rest, sum(generations)::bigint as generations,
           sum(charged)::bigint as charged
         from daily left join dearest using ("group") group by day, dearest."group" order by day, is_rest, 2`,
  )

const statements: Record<UsageSplit, Statement<UsageOfDay>> = {
  key: splitBy('usage_by_day_and_key', 'key_id', usageOfDays),
  family: splitBy('usage_by_day_and_family', 'family_id', usageOfFamilies),
}

const ofKey = `(select * from usage_days where account_id = $1 and owner_id = $2 and day >= utc_day($3) and day <= utc_day($4)
  and key_id = $6)`
const statementsOfKey: Record<UsageSplit, Statement<UsageOfDay>> = {
  key: splitBy('usage_of_key_by_day', 'key_id', ofKey),
  family: splitBy('usage_of_key_by_day_and_family', 'family_id', ofKey),
}

/**
 * Returns the usage of every day of the span, split by the `first` most expensive keys or families of the whole span, and the rest. At
 * most `first` + 1 rows per day; with `keyId` of that key alone. Days without usage are omitted.
 * Refusals: invalid_request at `to`, as {@link usageOf}.
 */
export async function usageByDay(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { by, first, keyId, ...span }: Span & { by: UsageSplit; first: number; keyId?: string | null | undefined },
): Promise<UsageOfDay[]> {
  const values = [accountId, ownerId, ...readSpan(span), first]
  return context.history.read(context.sql, (sql) =>
    keyId ? sql.all(statementsOfKey[by], [...values, keyId]) : sql.all(statements[by], values),
  )
}
