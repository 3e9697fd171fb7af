import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** The first day that is not summed up. Parameter `$1` is the account. */
const until = `coalesce((select until from usage_summed where account_id = $1), '-infinity')`
const sums = 'ready, failed, cancelled, charged'
const own = 'account_id = $1 and owner_id = $2'
const [first, last] = ['utc_day($3)', 'utc_day($4)']

/**
 * A subquery: the ended generations of an owner by day and family. Reads sums of all keys for days that are over. Parameters: the account,
 * the owner, a moment of the first day and one of the last.
 */
export const usageOfFamilies = `(
  select day, family_id, ${sums} from usage_sums where ${own} and day between ${first} and least(${last}, ${until} - 1)
  union all
  select day, family_id, ${sums} from usage_days where ${own} and day between greatest(${first}, ${until}) and ${last}
)`

const monday = (day: string) => `date_trunc('week', (${day})::timestamp)::date`
/** The first whole week of the span, and the first week that is not whole or not summed up. */
const [firstWeek, endWeek] = [
  monday(`${first} + 6`),
  `greatest(${monday(`${first} + 6`)}, least(${monday(`${last} + 1`)}, ${monday(until)}))`,
]

/** A subquery: the ended generations of an owner by key, some rows for each. Reads sums of whole weeks. For parameters see above. */
export const usageOfKeys = `(
  select key_id, ${sums} from usage_weeks_of_keys where ${own} and week >= ${firstWeek} and week < ${endWeek}
  union all
  select key_id, ${sums} from usage_days where ${own} and day >= ${first} and day < ${firstWeek} and day <= ${last}
  union all
  select key_id, ${sums} from usage_days where ${own} and day >= ${endWeek} and day <= ${last}
)`

/** A subquery: the ended generations of an owner by day, key and family. For parameters see above. */
export const usageOfDays = `(select * from usage_days where ${own} and day >= ${first} and day <= ${last})`

/** A subquery: the ended generations of one key on the day `asked.day`. Parameters: the account, the owner, and `$6`, the key. */
export const endedOfKey = `select ${sums} from usage_days where ${own} and day = asked.day and key_id = $6`

/** A subquery: the ended generations of one family on the day `asked.day`. Parameters: the account, the owner, and `$6`, the family. */
export const endedOfFamily = `select ${sums} from usage_sums
      where ${own} and day = asked.day and family_id = $6 and asked.day < ${until}
    union all
    select ${sums} from usage_days where ${own} and day = asked.day and family_id = $6 and asked.day >= ${until}`

const sumUp = statement<{ accounts: number }>('sum_up_usage', 'select sum_up_usage($1) as accounts')
const accountsAtOnce = 100

/**
 * Sums up the usage of days that are over, so that the usage of long spans reads few rows. The first run after an upgrade sums up all
 * earlier days. Stops between batches when `isEnding`; the next run continues. Returns the number of spans of accounts.
 */
export async function sumUpUsage({ sql }: Pick<Context, 'sql'>, isEnding: () => boolean): Promise<number> {
  for (let summed = 0; ; ) {
    const accounts = (await sql.one(sumUp, [accountsAtOnce]))?.accounts ?? 0
    summed += accounts
    if (accounts === 0 || isEnding()) return summed
  }
}
