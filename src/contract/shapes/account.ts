import { z } from 'zod'
import { scopes } from '../../entities/ApiKey.ts'
import { credits, moment } from './credits.ts'

const scope = z.enum(scopes).meta({ id: 'Scope', description: 'What a key may do; `mcp` opens no endpoint of this interface.' })

const team = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(['active', 'expired', 'blocked']).meta({ id: 'TeamState' }),
    expiresAt: moment.nullable(),
  })
  .meta({ id: 'AccountTeam' })

const limits = z
  .object({
    daily: z
      .object({
        limitCredits: credits.nullable().meta({ description: 'The ceiling of a calendar day in UTC; null for none.' }),
        spentCredits: credits.meta({ description: 'Charged today.' }),
        heldCredits: credits.meta({ description: 'Held by what is running.' }),
        remainingCredits: credits.nullable(),
        resetsAt: moment,
      })
      .meta({ id: 'DailyLimit' }),
    single: z
      .object({ limitCredits: credits.nullable().meta({ description: 'The ceiling of one generation; null for none.' }) })
      .meta({ id: 'SingleLimit' }),
  })
  .meta({ id: 'KeyLimits' })

const key = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The part of the key that stays visible.' }),
    permissions: z.array(scope),
    expiresAt: moment.nullable().meta({ description: 'When the key ends; null when it lives until it is revoked.' }),
    previousValueEndsAt: moment.nullable().meta({
      description: 'After a rotation: when the value before it stops working, be it the one that you sent; null when no such value works.',
    }),
    limits,
  })
  .meta({ id: 'AccountKey', description: 'The key that was presented.' })

/** Contract: docs/contract.md#get-the-account. */
export const account = z
  .object({
    creditsAvailable: credits.meta({ description: 'What a start may hold now.' }),
    team: team.nullable().meta({ description: 'The team that the key acts for.' }),
    key,
  })
  .meta({ id: 'Account' })

export type PublicAccount = z.output<typeof account>
