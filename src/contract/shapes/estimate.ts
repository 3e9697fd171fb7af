import { z } from 'zod'
import { credits } from './credits.ts'
import { priceUnit, runSeconds } from './family.ts'

/** Contract: docs/contract.md#estimate-the-cost. */
export const estimate = z
  .object({
    familyId: z.string(),
    variant: z
      .object({ modelId: z.string(), task: z.string(), axes: z.record(z.string(), z.string()) })
      .meta({ id: 'EstimatedVariant', description: 'The variant that a start would run.' }),
    credits: credits.meta({ description: 'The price: a start holds it, and charges it when the generation succeeds.' }),
    creditsAvailable: credits,
    sufficient: z.boolean().meta({ description: 'Whether the account has enough credits now.' }),
    breakdown: z.array(z.object({ unit: priceUnit, quantity: z.number(), credits }).meta({ id: 'EstimateLine' })),
    expectedRunSeconds: runSeconds,
    blockers: z.array(z.string()).meta({ description: 'The refusal codes that a start would return now.' }),
  })
  .meta({ id: 'Estimate' })

export type PublicEstimate = z.output<typeof estimate>
