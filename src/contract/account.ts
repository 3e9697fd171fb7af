import { z } from 'zod'
import { scopes } from '../entities/ApiKey.ts'
import { credits, moment } from './credits.ts'

/** Contract: section 3, GET /account. */
export const account = z
  .object({
    creditsAvailable: credits,
    team: z
      .object({ id: z.string(), name: z.string(), state: z.enum(['active', 'expired', 'blocked']), expiresAt: moment.nullable() })
      .nullable(),
    key: z.object({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      permissions: z.array(z.enum(scopes)),
      limits: z.object({
        daily: z.object({
          limitCredits: credits.nullable(),
          spentCredits: credits,
          heldCredits: credits,
          remainingCredits: credits.nullable(),
          resetsAt: moment,
        }),
        single: z.object({ limitCredits: credits.nullable() }),
      }),
    }),
  })
  .meta({ id: 'Account' })
