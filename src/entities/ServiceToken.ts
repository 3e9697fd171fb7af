import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** A named token of an internal tool. */
export const ServiceToken = defineEntity({
  name: 'ServiceToken',
  tableName: 'service_tokens',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    /** The visible first characters of the value. */
    prefix: p.text(),
    hash: p.blob(),
    readOnly: p.boolean(),
    /** The only teams that the token may act on; `null` for everything. */
    teamIds: p.array().strictNullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
  },
})
export type ServiceToken = InferEntity<typeof ServiceToken>
