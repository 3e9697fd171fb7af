import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Hundredths } from './Hundredths.ts'

export const Team = defineEntity({
  name: 'Team',
  tableName: 'teams',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    planExpiresAt: p.datetime().strictNullable(),
    blocked: p.boolean(),
    externalAccess: p.boolean(),
    /** Limits of requests of its members; `null` for those of the deployment. */
    requestsPerMinute: p.integer().strictNullable(),
    requestsInProgress: p.integer().strictNullable(),
    /** Whether members, too, may start generations in the admin UI. */
    membersMayRun: p.boolean(),
    /** What each person may spend there on a day in UTC, in hundredths; `null` for no limit. */
    runDailyLimit: p.bigint('number').$type<Hundredths>().strictNullable(),
    createdAt: p.datetime(),
    /** The row of a deleted team stays for the ledger, without its data. */
    deletedAt: p.datetime().strictNullable(),
  },
})
export type Team = InferEntity<typeof Team>
