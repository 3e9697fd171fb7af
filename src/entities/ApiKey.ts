import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Hundredths } from './Hundredths.ts'

export const scopes = [
  'catalog:read',
  'generations:read',
  'generations:write',
  'files:write',
  'account:read',
  'mcp',
  'keys:write',
  'webhooks:write',
] as const
export type Scope = (typeof scopes)[number]

/**
 * `userId` is the issuer; the key acts in that person's name. Limits and sums are hundredths; `chargedOnDay` counts only for `chargedDay`
 * (UTC). After a rotation, the previous value works until `previousUntil`. `valueHolderId` and `previousHolderId` name the person who got
 * that value by a rotation; null for the issuer and for internal tools.
 */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.text().primary(),
    teamId: p.text().strictNullable(),
    userId: p.text(),
    name: p.text(),
    scopes: p.array<Scope>(),
    prefix: p.text(),
    hash: p.blob(),
    dailyLimit: p.bigint('number').$type<Hundredths>().strictNullable(),
    monthlyLimit: p.bigint('number').$type<Hundredths>().strictNullable(),
    singleLimit: p.bigint('number').$type<Hundredths>().strictNullable(),
    confirmAbove: p.bigint('number').$type<Hundredths>().strictNullable(),
    heldOpen: p.bigint('number').$type<Hundredths>(),
    chargedDay: p.date(),
    chargedOnDay: p.bigint('number').$type<Hundredths>(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
    expiresAt: p.datetime().strictNullable(),
    previousHash: p.blob().$type<Buffer>().strictNullable(),
    previousPrefix: p.text().strictNullable(),
    previousUntil: p.datetime().strictNullable(),
    valueHolderId: p.text().strictNullable(),
    previousHolderId: p.text().strictNullable(),
  },
})
export type ApiKey = InferEntity<typeof ApiKey>
