import { z } from 'zod'
import { limits } from '../limits.ts'
import { refusalError } from '../refusals/refusalBody.ts'
import { startedGeneration } from './startedGeneration.ts'

/** An item is validated in its place, so that a faulty one does not refuse the others. */
const item = z.unknown().meta({
  description: 'The body of a start.',
  override: { $ref: '#/components/schemas/GenerationRequest' },
})

/** The body of a batch. Contract: docs/contract.md#start-a-batch. */
export const batchRequest = z
  .strictObject({
    items: z.array(item).min(1).max(limits.batchItems).meta({ description: 'The bodies of the starts, in order.' }),
    maxCredits: z
      .number()
      .min(0)
      .max(limits.maxCreditsCeiling)
      .meta({ description: 'The most credits that the started items may cost together. Items beyond it are refused, in order.' })
      .optional(),
  })
  .meta({ id: 'BatchRequest', description: 'Up to 50 starts.' })

export type BatchRequest = z.output<typeof batchRequest>

/** The answer to one item of a batch: that of its own start. */
const batchPlace = z
  .object({
    status: z.int().meta({ description: 'The status that the start of this item would have: 201, or that of its refusal.' }),
    generation: startedGeneration.optional().meta({ description: 'The started generation; with the status 201.' }),
    error: refusalError.optional().meta({ description: 'The refusal; with any other status.' }),
  })
  .meta({ id: 'BatchPlace' })

/** Contract: docs/contract.md#start-a-batch. */
export const startedBatch = z
  .object({ items: z.array(batchPlace).meta({ description: 'One answer for each item, in order.' }) })
  .meta({ id: 'StartedBatch' })

export type StartedBatch = z.output<typeof startedBatch>
export type BatchPlace = z.output<typeof batchPlace>
