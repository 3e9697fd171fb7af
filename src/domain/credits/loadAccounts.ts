import { CreditAccount } from '../../entities/CreditAccount.ts'
import type { Context } from '../context.ts'

/** Those of the accounts that exist, in any order, as they stand now; amounts are hundredths. */
export function loadAccounts(context: Context, ids: readonly string[]): Promise<CreditAccount[]> {
  return context.em().find(CreditAccount, { id: { $in: [...ids] } }, { refresh: true })
}
