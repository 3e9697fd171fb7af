import { z } from 'zod'
import { priceUnits } from '../domain/catalog/vocabulary.ts'
import { credits } from './credits.ts'

/** Contract: section 3, POST /generations/estimate. */
export const estimate = z
  .object({
    familyId: z.string(),
    variant: z.object({ modelId: z.string(), task: z.string(), axes: z.record(z.string(), z.string()) }),
    credits: credits.meta({ description: 'What a start would hold and, when it succeeds, charge.' }),
    creditsAvailable: credits,
    sufficient: z.boolean().meta({ description: 'Whether the account covers the work right now.' }),
    breakdown: z.array(z.object({ unit: z.enum(priceUnits), quantity: z.number(), credits })),
    expectedRunSeconds: z.object({ typical: z.number(), slow: z.number() }),
    blockers: z.array(z.string()).meta({ description: 'Refusal codes that a start would meet now.' }),
  })
  .meta({ id: 'Estimate' })
