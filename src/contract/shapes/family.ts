import { z } from 'zod'
import { credits, moment } from './credits.ts'
import { mediaField } from './media.ts'
import { outputType } from './outputTypes.ts'
import { task } from './tasks.ts'

/** Why a family is locked for a caller; the first matching reason is returned. Contract: docs/contract.md#locked-families. */
export const lockReasons = ['access_denied', 'disabled_by_team', 'subscription_required', 'temporarily_unavailable'] as const
export type LockReason = (typeof lockReasons)[number]

const lockReason = z.enum(lockReasons).meta({ id: 'LockReason', description: 'The reason why you cannot use a family.' })

/** The units of prices. Contract: docs/contract.md#prices. */
export const priceUnits = ['generation', 'output_second', 'input_second', 'megapixel', 'thousand_characters'] as const
export type PriceUnit = (typeof priceUnits)[number]

export const priceUnit = z.enum(priceUnits).meta({
  id: 'PriceUnit',
  description:
    'The unit of a price: `generation`, `output_second`, `input_second` (measured, not rounded), `megapixel`, `thousand_characters` (each thousand code points or part of it).',
})

export const runSeconds = z
  .object({ typical: z.number().min(0), slow: z.number().min(0) })
  .meta({ id: 'RunSeconds', description: 'The typical run time in seconds, and that of a slow run.' })

const medium = z
  .object({
    min: z.int(),
    max: z.int(),
    field: mediaField.meta({ description: 'The request field of these inputs.' }),
    mimeTypes: z.array(z.string()),
    minBytes: z.int().optional().meta({ description: 'This and the following limits, if present, are limits of the model.' }),
    maxBytes: z.int().optional(),
    minWidth: z.int().optional(),
    maxWidth: z.int().optional(),
    minHeight: z.int().optional(),
    maxHeight: z.int().optional(),
    minAspectRatio: z.number().optional().meta({ description: 'Width by height.' }),
    maxAspectRatio: z.number().optional(),
    minDurationSeconds: z.number().optional(),
    maxDurationSeconds: z.number().optional(),
  })
  .meta({ id: 'MediumInputs' })

/** The inputs of a variant, apart from its parameters. */
export const variantInputs = z
  .object({
    prompt: z
      .object({
        required: z.boolean(),
        maxLength: z.int().nullable().meta({ description: 'In code points; null when the model has no limit.' }),
      })
      .meta({ id: 'PromptInput' }),
    images: medium,
    videos: medium,
    audios: medium,
    models3d: medium,
  })
  .meta({ id: 'VariantInputs', description: 'The inputs of a variant, apart from its parameters.' })

const price = z
  .object({
    unit: priceUnit,
    credits: z.number().min(0),
    when: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'The parameter values to which this price applies; empty when it always applies.' }),
  })
  .meta({ id: 'Price' })

const axis = z
  .object({ name: z.string(), label: z.string(), values: z.array(z.string()), default: z.string() })
  .meta({ id: 'Axis', description: 'A choice that distinguishes the variants of a family, for example its `version`.' })

const variant = z
  .object({
    modelId: z.string(),
    label: z.string(),
    tasks: z.array(task),
    axes: z.record(z.string(), z.string()),
    inputs: variantInputs,
    parameterNames: z.array(z.string()),
    parameters: z.record(z.string(), z.unknown()).meta({
      description: 'A JSON Schema (2020-12) of the `parameters` of this variant, without the prompt. Use it for forms.',
    }),
    prices: z.array(price),
    creditsFrom: credits,
    expectedRunSeconds: runSeconds,
  })
  .meta({ id: 'Variant' })

/** A family of the catalog, in the list and alone. Contract: docs/contract.md#family-object. */
export const family = z
  .object({
    id: z.string(),
    name: z.string(),
    vendor: z.string(),
    description: z.string(),
    available: z.boolean(),
    lockReason: lockReason.optional(),
    tasks: z.array(task),
    outputType,
    axes: z.array(axis),
    variants: z.array(variant),
    parameters: z.record(z.string(), z.unknown()).meta({
      description:
        'A JSON Schema (2020-12) of the `parameters` of all variants. Its `prompt` only contains the limit: a request has the prompt at its top level, and `parameters.prompt` is refused. For forms, use the schema of a variant.',
    }),
    creditsFrom: credits,
    expectedRunSeconds: runSeconds,
    updatedAt: moment,
  })
  .meta({ id: 'Family' })

export type PublicFamily = z.output<typeof family>
