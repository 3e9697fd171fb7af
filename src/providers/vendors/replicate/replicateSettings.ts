import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import { places } from '../../connector/jsonPath.ts'

const name = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/

/** `provider.settings` of a variant at Replicate. */
export const replicateSettings = z.strictObject({
  /** The name at Replicate, such as `black-forest-labs/flux-1.1-pro`. */
  model: z.string().max(200).regex(name, 'Takes an owner and a name, such as black-forest-labs/flux-1.1-pro'),
  /** The version of a model that is not an official one. */
  version: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Takes the 64 digits of a version')
    .optional(),
  ...fieldMap,
  /** The place of the output URLs in `output`; default: all URLs in it. */
  output: z.union([places, z.array(places).min(1)]).optional(),
  /** US dollars per second of the model's running time. */
  usdPerSecond: z.number().positive().optional(),
})
export type ReplicateSettings = z.output<typeof replicateSettings>
