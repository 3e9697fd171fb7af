import { z } from 'zod'
import { limits } from '../limits.ts'
import { scope } from './account.ts'
import { creditLimit, momentText } from './credits.ts'
import { setOf } from './setOf.ts'
import { name } from './text.ts'

const ceiling = (description: string) => creditLimit.nullish().meta({ description })

/** What a new key gets. Contract: docs/contract.md#keys-over-graphql. */
export const newKey = z.object({
  teamId: z.string().nullish().meta({ description: 'Absent for a personal key, which serves agents only.' }),
  userId: z.string().nullish().meta({
    description:
      "The issuer. A person who has signed in is the issuer. An internal tool may leave it out: then it is the team's first owner, else its first administrator.",
  }),
  name,
  scopes: setOf(scope, 'scope'),
  dailyLimitCredits: ceiling('Ceiling of a calendar day in UTC. Null or absent: none.'),
  monthlyLimitCredits: ceiling('Ceiling of a calendar month in UTC. Null or absent: none.'),
  singleLimitCredits: ceiling('Ceiling of one generation. Null or absent: none.'),
  confirmAboveCredits: ceiling('Agents ask a person before they start a generation that costs more. Null or absent: never.'),
  expiresAt: z.date().nullish().meta({ description: 'When the key expires. Null or absent: never.' }),
})

export type NewKey = z.input<typeof newKey>

/** A change of a key; an absent field stays unchanged. Contract: docs/contract.md#keys-over-graphql. */
export const keyChange = z.object({
  id: z.string(),
  name: name.nullish(),
  dailyLimitCredits: ceiling('Null removes the ceiling.'),
  monthlyLimitCredits: ceiling('Null removes the ceiling.'),
  singleLimitCredits: ceiling('Null removes the ceiling.'),
  confirmAboveCredits: ceiling('Null removes the question.'),
  expiresAt: z.date().nullish().meta({ description: 'Null removes the end. An expired key works again with a later one.' }),
})

export type KeyChange = z.input<typeof keyChange>

/** Contract: docs/contract.md#keys-over-graphql. */
export const keyRotation = z.object({ id: z.string(), overlapHours: overlapHours('value', limits.keyOverlapHoursMax) })
export type KeyRotation = z.input<typeof keyRotation>

const { teamId: _team, userId: _issuer, scopes: newScopes, expiresAt, ...ownFields } = newKey.shape

/** The body of POST /keys: the key belongs to the team of the asking key. Contract: docs/contract.md#management-by-key. */
export const newKeyBody = z
  .strictObject({
    ...ownFields,
    scopes: newScopes.unwrap(),
    expiresAt: momentText.nullish().meta({ description: descriptionOf(expiresAt) }),
  })
  .meta({ id: 'NewKey' })

const { id: _key, expiresAt: changedEnd, ...changes } = keyChange.shape

/** The body of PATCH /keys/{id}. */
export const keyChangeBody = z
  .strictObject({ ...changes, expiresAt: momentText.nullish().meta({ description: descriptionOf(changedEnd) }) })
  .meta({ id: 'KeyChange' })

/** The body of POST /keys/{id}/rotate; empty for no overlap. */
export const keyRotationBody = z.strictObject({ overlapHours: keyRotation.shape.overlapHours }).meta({ id: 'KeyRotation' })

function descriptionOf(schema: z.ZodType): string | undefined {
  return schema.meta()?.description
}

/** For how long the `secret` before a rotation stays valid, in whole hours. */
export function overlapHours(secret: string, max: number) {
  const description = `For how many hours the present ${secret} stays valid; at most ${max}. 0 invalidates it at once.`
  return z.int().min(0).max(max).nullable().default(0).meta({ description })
}
