import { creditsOf } from '../../contract/hundredths.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const compare = statement<{ accountId: string; differs: boolean }>(
  'compare_months',
  `select a.id as account_id, exists (select from months_that_differ(a.id)) as differs
     from credit_accounts a where a.id > $1 order by a.id limit $2`,
)
const recount = statement<{ keyId: string | null; change: Hundredths }>(
  'recount_months',
  'select spending_key as key_id, change from recount_months($1)',
)

/**
 * Sets the charges of this month of accounts and keys, which monthly ceilings limit, to their usage where they differ. After an upgrade,
 * charges of processes of a release without monthly ceilings are missing. Compares some accounts at once without locks; what differs is
 * corrected by one transaction for each account. Stops between accounts when `isEnding`; the next run finds what still differs. Logs each
 * change; returns their number. Locks: one account, then its keys.
 */
export async function recountMonths(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  isEnding: () => boolean,
  accountsAtOnce = 20,
): Promise<number> {
  let changes = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const compared: { accountId: string; differs: boolean }[] = await sql.all(compare, [after, accountsAtOnce])
    for (const { accountId } of compared.filter(({ differs }) => differs)) {
      if (isEnding()) return changes
      for (const { keyId, change } of await sql.all(recount, [accountId])) {
        log.warn(
          { accountId, keyId, changeCredits: creditsOf(change) },
          'the charges of this month differed from the usage and were corrected',
        )
        changes += 1
      }
    }
    after = isEnding() ? undefined : compared.at(-1)?.accountId
  }
  return changes
}
