import { z } from 'zod'
import { fieldMap } from '../../src/providers/connector/fieldMap.ts'

/** `provider.settings` of a variant: what the vendor calls the model, and where our names go in its request. */
export const settings = z.strictObject({ model: z.string().min(1), ...fieldMap })
