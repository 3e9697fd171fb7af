import { z } from 'zod'
import { credits } from './credits.ts'
import { generation, generationState } from './generation.ts'

/** The response of a start: the generation, and whether it repeats an earlier response. Contract: docs/contract.md#start-a-generation. */
export const startedGeneration = generation
  .extend({
    replayed: z.boolean().meta({ description: 'True when this repeats the response of an earlier request with the same Idempotency-Key.' }),
  })
  .meta({ id: 'StartedGeneration' })

export type PublicStarted = z.output<typeof startedGeneration>

/** The response of a cancel. Contract: docs/contract.md#cancel-a-generation. */
export const cancelledGeneration = z
  .object({
    generationId: z.string(),
    state: generationState,
    cancelled: z.boolean().meta({ description: 'True when this call cancelled the generation.' }),
    creditsCharged: credits,
    creditsReturned: credits,
  })
  .meta({ id: 'CancelledGeneration' })

export type CancelledGeneration = z.output<typeof cancelledGeneration>

/** The body of a cancel: empty, or an empty object. */
export const cancelBody = z.strictObject({}).meta({ id: 'CancelRequest' })
