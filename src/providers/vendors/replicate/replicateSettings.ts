import { z } from 'zod'
import { fieldMap } from '../../connector/fieldMap.ts'
import { places } from '../../connector/jsonPath.ts'

const name = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/

/** What `provider.settings` of a variant says of a model on Replicate. */
export const replicateSettings = z.strictObject({
  /** As Replicate names it, such as `black-forest-labs/flux-1.1-pro`. */
  model: z.string().max(200).regex(name, 'Takes an owner and a name, such as black-forest-labs/flux-1.1-pro'),
  /** Of a model that is not an official one: the version to run. */
  version: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'Takes the 64 digits of a version')
    .optional(),
  ...fieldMap,
  /** Where the addresses of what was made stand within `output`; all that stand in it unless told. */
  output: z.union([places, z.array(places).min(1)]).optional(),
  /** What a second of the model's own time costs. */
  usdPerSecond: z.number().positive().optional(),
})
export type ReplicateSettings = z.output<typeof replicateSettings>
