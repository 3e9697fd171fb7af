import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** `balance` includes what is held; both are hundredths and move only by the ledger's own functions. */
export const CreditAccount = defineEntity({
  name: 'CreditAccount',
  tableName: 'credit_accounts',
  properties: {
    id: p.text().primary(),
    teamId: p.text().strictNullable(),
    userId: p.text().strictNullable(),
    balance: p.bigint('number'),
    held: p.bigint('number'),
    createdAt: p.datetime(),
  },
})
export type CreditAccount = InferEntity<typeof CreditAccount>
