import { z } from 'zod'
import { scopes } from '../entities/ApiKey.ts'
import { generationStates } from '../entities/Generation.ts'
import { mediaFields, outputTypes, priceUnits, tasks } from './tasks.ts'

/** What a model does. Contract: section 2, tasks. */
export const task = z.enum(tasks).meta({ id: 'Task', description: 'What a model does.' })

/** What comes out of a family of the catalog. */
export const outputType = z.enum(outputTypes).meta({ id: 'OutputType', description: 'What comes out of a family.' })

/** What a generation of the history made. */
export const resultType = z
  .enum([...outputTypes, 'text'])
  .meta({ id: 'ResultType', description: 'What a generation makes; `text` stands in the history alone.' })

export const generationState = z.enum(generationStates).meta({
  id: 'GenerationState',
  description: '`queued`, `running` and `finalizing` go on; `ready`, `failed` and `cancelled` are the ends.',
})

/** Why a family is locked for a caller; the first that holds is given. Contract: section 3, `lockReason`. */
export const lockReasons = ['access_denied', 'disabled_by_team', 'subscription_required', 'temporarily_unavailable'] as const
export type LockReason = (typeof lockReasons)[number]

export const lockReason = z.enum(lockReasons).meta({ id: 'LockReason', description: 'Why you cannot use a family.' })

export const mediaField = z.enum(mediaFields).meta({ id: 'MediaField', description: 'A field of the request that carries media.' })

export const priceUnit = z.enum(priceUnits).meta({
  id: 'PriceUnit',
  description:
    'What a price is for: `generation`, `output_second`, `input_second` (measured, not rounded), `megapixel`, `thousand_characters` (begun, in code points).',
})

export const scope = z.enum(scopes).meta({ id: 'Scope', description: 'What a key may do; `mcp` opens no endpoint of this interface.' })

export const runSeconds = z
  .object({ typical: z.number().min(0), slow: z.number().min(0) })
  .meta({ id: 'RunSeconds', description: 'How long the work usually takes, and how long when it is slow.' })
