import { z } from 'zod'
import { scope } from './account.ts'
import { credits, moment } from './credits.ts'
import { cursor, limit } from './pageQuery.ts'
import { listOf } from './queries.ts'
import { text } from './text.ts'

/** `live`: neither revoked nor expired. */
export const keyStates = ['live', 'expired', 'revoked'] as const

const ceiling = credits.nullable().meta({ description: 'Null when there is none.' })

/** A key in the management of keys. Contract: docs/contract.md#management-by-key. */
export const keyRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of its value.' }),
    scopes: z.array(scope),
    state: z
      .enum(keyStates)
      .meta({ id: 'KeyState', description: 'A later end makes an expired key work again; a revoked key never does.' }),
    issuedBy: z.object({ id: z.string(), name: z.string() }).meta({ id: 'KeyIssuer', description: 'The person for whom it acts.' }),
    dailyLimitCredits: ceiling,
    monthlyLimitCredits: ceiling,
    singleLimitCredits: ceiling,
    confirmAboveCredits: ceiling,
    spentTodayCredits: credits,
    spentThisMonthCredits: credits,
    heldCredits: credits,
    createdAt: moment,
    lastUsedAt: moment.nullable(),
    expiresAt: moment.nullable(),
    revokedAt: moment.nullable(),
    previousPrefix: z.string().nullable().meta({ description: 'The first characters of the value before a rotation, while it works.' }),
    previousValueEndsAt: moment.nullable(),
  })
  .meta({ id: 'Key', description: 'A key of the team, without its value.' })

export type KeyRecord = z.output<typeof keyRecord>

export const keyList = listOf(keyRecord, 'KeyList')

/** A new value of a key. */
export const keyWithValue = z
  .object({ apiKey: keyRecord, value: z.string().meta({ description: 'The text of the key. It is shown only here.' }) })
  .meta({ id: 'KeyWithValue' })

/** The query of GET /keys. */
export const keyListQuery = z.strictObject({
  cursor,
  limit,
  state: z.enum(keyStates).optional().meta({ description: 'Only keys in that state.' }),
  search: text({ charactersMin: 0, charactersMax: 200 })
    .optional()
    .meta({ description: 'A part of the name or of the prefix, case-insensitive, or a whole identifier.' }),
})
