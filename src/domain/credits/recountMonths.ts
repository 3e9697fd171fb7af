import { creditsOf } from '../../contract/hundredths.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const recount = statement<{ accountId: string | null; keyId: string | null; change: Hundredths }>(
  'recount_months',
  'select account as account_id, spending_key as key_id, change from recount_months()',
)

/**
 * Sets the charges of this month of accounts and keys, which monthly ceilings limit, to their usage where they differ. After an upgrade,
 * charges of processes of a release without monthly ceilings are missing. Logs each change; returns their number. Locks: accounts, then keys.
 */
export async function recountMonths({ sql, log }: Pick<Context, 'sql' | 'log'>): Promise<number> {
  const changes = await sql.all(recount, [])
  for (const { accountId, keyId, change } of changes) {
    log.warn({ accountId, keyId, changeCredits: creditsOf(change) }, 'the charges of this month differed from the usage and were corrected')
  }
  return changes.length
}
