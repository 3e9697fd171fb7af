import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.text().primary(),
    email: p.text(),
    name: p.text(),
    /** False for an account made with a link that was shown to the inviter. Nobody has proved that the address is theirs. */
    emailVerified: p.boolean(),
    passwordHash: p.text().strictNullable(),
    subscriptionActive: p.boolean(),
    /** Null: that of the browser. */
    timeZone: p.text().strictNullable(),
    createdAt: p.datetime(),
    /** The row of a deleted person stays for the ledger, without personal data. */
    deletedAt: p.datetime().strictNullable(),
  },
})
export type User = InferEntity<typeof User>
