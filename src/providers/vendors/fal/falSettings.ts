import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import { places } from '../../connector/jsonPath.ts'

/** `provider.settings` of a variant at fal. */
export const falSettings = z.strictObject({
  /** The name at fal, such as `fal-ai/flux/dev`. */
  model: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)+$/, 'Takes the name of a model, such as fal-ai/flux/dev'),
  ...fieldMap,
  /** The place of the output URLs in the answer. */
  output: z.union([places, z.array(places).min(1)]).default('images.*.url'),
  /** The place of a flag per output: `true` when the model withheld it because of its content. */
  withheld: places.optional(),
  /** The price of a unit, and its name. */
  cost: z.strictObject({ usdPerUnit: z.number().positive(), unit: z.string().min(1).max(40).optional() }).optional(),
})
export type FalSettings = z.output<typeof falSettings>
