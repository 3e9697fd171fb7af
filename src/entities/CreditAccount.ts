import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Hundredths } from './Hundredths.ts'

/** `balance` includes `held`. Both are hundredths; only the SQL functions of the ledger change them. So are the charges of the
 * current month, which only these functions read. */
export const CreditAccount = defineEntity({
  name: 'CreditAccount',
  tableName: 'credit_accounts',
  properties: {
    id: p.text().primary(),
    teamId: p.text().strictNullable(),
    userId: p.text().strictNullable(),
    balance: p.bigint('number').$type<Hundredths>(),
    held: p.bigint('number').$type<Hundredths>(),
    /** The monthly budget of a team; null for none, and for people. */
    monthlyLimit: p.bigint('number').$type<Hundredths>().strictNullable(),
    /** The available credits below which a team is alerted; null for none, and for people. */
    lowCreditsThreshold: p.bigint('number').$type<Hundredths>().strictNullable(),
    createdAt: p.datetime(),
  },
})
export type CreditAccount = InferEntity<typeof CreditAccount>
