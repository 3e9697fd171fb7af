import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import { places } from '../../connector/jsonPath.ts'

/** What `provider.settings` of a variant says of a model on fal. */
export const falSettings = z.strictObject({
  /** As fal names it, such as `fal-ai/flux/dev`. */
  model: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)+$/, 'Takes the name of a model, such as fal-ai/flux/dev'),
  ...fieldMap,
  /** Where the addresses of what was made stand in the answer. */
  output: z.union([places, z.array(places).min(1)]).default('images.*.url'),
  /** Where the model says of each output, by `true`, that it has withheld it because of its content. */
  withheld: places.optional(),
  /** What one of the units costs that fal counts, and what it counts. */
  cost: z.strictObject({ usdPerUnit: z.number().positive(), unit: z.string().min(1).max(40).optional() }).optional(),
})
export type FalSettings = z.output<typeof falSettings>
