import { z } from 'zod'
import { scopes } from '../../entities/ApiKey.ts'
import { credits, moment } from './credits.ts'

export const scope = z
  .enum(scopes)
  .meta({ id: 'Scope', description: 'A permission of a key; `mcp` permits no endpoint of this interface.' })

const monthly = z
  .object({
    limitCredits: credits.nullable().meta({ description: 'The ceiling of a calendar month in UTC; null when there is none.' }),
    spentCredits: credits.meta({ description: 'Charged this month.' }),
    heldCredits: credits.meta({ description: 'Held by open generations.' }),
    remainingCredits: credits.nullable(),
    resetsAt: moment,
  })
  .meta({ id: 'MonthlyLimit' })

/** A key sees only `active`, because it is refused in the other states; GraphQL shows all of them. */
export const teamState = z.enum(['active', 'expired', 'blocked']).meta({ id: 'TeamState' })

const team = z
  .object({
    id: z.string(),
    name: z.string(),
    state: teamState,
    expiresAt: moment.nullable(),
    limits: z
      .object({ monthly: monthly.meta({ description: 'The monthly budget of the team, which its keys share.' }) })
      .meta({ id: 'TeamLimits' }),
  })
  .meta({ id: 'AccountTeam' })

const limits = z
  .object({
    daily: z
      .object({
        limitCredits: credits.nullable().meta({ description: 'The ceiling of a calendar day in UTC; null when there is none.' }),
        spentCredits: credits.meta({ description: 'Charged today.' }),
        heldCredits: credits.meta({ description: 'Held by open generations.' }),
        remainingCredits: credits.nullable(),
        resetsAt: moment,
      })
      .meta({ id: 'DailyLimit' }),
    monthly,
    single: z
      .object({ limitCredits: credits.nullable().meta({ description: 'The ceiling of one generation; null when there is none.' }) })
      .meta({ id: 'SingleLimit' }),
  })
  .meta({ id: 'KeyLimits' })

const key = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key, which stay visible.' }),
    permissions: z.array(scope),
    expiresAt: moment.nullable().meta({ description: 'When the key expires; null when it does not expire.' }),
    previousValueEndsAt: moment.nullable().meta({
      description:
        'After a rotation: when the previous value stops working, even if you sent that value; null when no previous value works.',
    }),
    limits,
  })
  .meta({ id: 'AccountKey', description: 'The key of this request.' })

/** Contract: docs/contract.md#get-the-account. */
export const account = z
  .object({
    creditsAvailable: credits.meta({ description: 'The credits that a start can hold now.' }),
    team: team.nullable().meta({ description: 'The team of the key; null for a personal key.' }),
    files: z
      .object({
        filesUsed: z.int().meta({ description: 'The files that no generation has used.' }),
        filesMax: z.int(),
        bytesUsed: z.int().meta({ description: 'Their total size.' }),
        bytesMax: z.int(),
      })
      .meta({ id: 'FileQuota', description: 'The quota of files that no generation has used.' }),
    key,
  })
  .meta({ id: 'Account' })

export type PublicAccount = z.output<typeof account>
