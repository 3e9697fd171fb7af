import { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import { limits } from '../../contract/limits.ts'
import { type PriceUnit, priceUnits } from '../../contract/shapes/family.ts'
import { fieldsOfMedium, type MediaField, type Medium, type MediumLimits, mimeTypesOfMedium } from '../../contract/shapes/media.ts'
import { type OutputType, outputTypes } from '../../contract/shapes/outputTypes.ts'
import { type Task, tasks } from '../../contract/shapes/tasks.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { ParameterRules } from './compileParameters.ts'
import type { Decimal } from './decimal.ts'
import { parameterName as name, type ParametersSchema, parametersSchema } from './parametersSchema.ts'

const identifier = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'Takes lowercase letters and digits, separated by single dots or hyphens')
const nonEmptyText = z.string().trim().min(1)
export const deadlineSecondsMax = 86_400
const seconds = z.number().positive().max(86_400)
const count = z.int().min(0).max(limits.mediaInputs)
const pixels = z.int().positive().optional()

const byteBounds = { minBytes: z.int().positive().optional(), maxBytes: z.int().positive().max(limits.fileBytes).optional() }
const durationBounds = { minDurationSeconds: seconds.optional(), maxDurationSeconds: seconds.optional() }
const frameBounds = {
  minWidth: pixels,
  maxWidth: pixels,
  minHeight: pixels,
  maxHeight: pixels,
  minAspectRatio: z.number().positive().optional(),
  maxAspectRatio: z.number().positive().optional(),
}
const taken = { min: count, max: count.min(1) }

const inputs = z.strictObject({
  prompt: z.strictObject({ required: z.boolean(), maxLength: z.int().positive().max(limits.promptCharacters).nullable() }).optional(),
  images: z
    .strictObject({
      ...taken,
      field: z.enum(fieldsOfMedium.images),
      mimeTypes: someOf(mimeTypesOfMedium.images),
      ...byteBounds,
      ...frameBounds,
    })
    .optional(),
  videos: z
    .strictObject({
      ...taken,
      field: z.enum(fieldsOfMedium.videos),
      mimeTypes: someOf(mimeTypesOfMedium.videos),
      ...byteBounds,
      ...frameBounds,
      ...durationBounds,
    })
    .optional(),
  audios: z
    .strictObject({
      ...taken,
      field: z.enum(fieldsOfMedium.audios),
      mimeTypes: someOf(mimeTypesOfMedium.audios),
      ...byteBounds,
      ...durationBounds,
    })
    .optional(),
  models3d: z
    .strictObject({ ...taken, field: z.enum(fieldsOfMedium.models3d), mimeTypes: someOf(mimeTypesOfMedium.models3d), ...byteBounds })
    .optional(),
})

const amount = z.number().positive().max(1_000_000)

/** Each price is in credits, or in US dollars that the configured rate converts to credits. */
const price = z
  .strictObject({
    unit: z.enum(priceUnits),
    credits: amount.optional(),
    usd: amount.optional(),
    when: z.record(name, z.union([z.string(), z.number(), z.boolean()])).default({}),
  })
  .refine(({ credits, usd }) => (credits === undefined) !== (usd === undefined), 'Takes either credits or usd')

/** The parameters that the units `output_second` and `megapixel` count. */
const priceParameters = z.strictObject({
  outputSeconds: name.default('durationSeconds'),
  width: name.default('width'),
  height: name.default('height'),
})

/** Limits of concurrent work and of requests per minute for the family, over all processes. */
const load = z.strictObject({ atOnce: z.int().positive().max(100_000).optional(), perMinute: z.int().positive().max(100_000).optional() })

const runSeconds = z.strictObject({ typical: seconds, slow: seconds })

const variant = z.strictObject({
  modelId: identifier,
  label: nonEmptyText,
  tasks: z.array(z.enum(tasks)).min(1),
  axes: z.record(name, nonEmptyText).default({}),
  inputs,
  parameterNames: z.array(name),
  prices: z.array(price).min(1),
  priceParameters: priceParameters.prefault({}),
  expectedRunSeconds: runSeconds,
  deadlineSeconds: seconds.max(deadlineSecondsMax),
  fallback: identifier.optional(),
  provider: z.strictObject({ id: identifier, settings: z.record(z.string(), z.json()).default({}) }),
})

/**
 * The schema of a family file in `catalog/`. `checkFamily` checks its parts against each other.
 * Contract: docs/contract.md#family-object.
 */
export const familyFile = z.strictObject({
  id: identifier,
  name: nonEmptyText,
  vendor: nonEmptyText,
  description: nonEmptyText,
  outputType: z.enum(outputTypes),
  updatedAt: z.iso.datetime({ precision: 3, error: 'Takes a moment like 2026-01-31T00:00:00.000Z' }),
  available: z.boolean().default(true),
  requiresSubscription: z.boolean().default(false),
  restricted: z.boolean().default(false),
  load: load.default({}),
  axes: z.array(z.strictObject({ name, label: nonEmptyText, values: z.array(nonEmptyText).min(1), default: nonEmptyText })).default([]),
  parameters: parametersSchema,
  variants: z.array(variant).min(1),
})

/** A file of the right shape, with defaults filled in. */
export type FamilySource = z.output<typeof familyFile>
type VariantSource = FamilySource['variants'][number]

/** The same with all prices in credits. */
export type FamilyFile = Omit<FamilySource, 'variants'> & { variants: VariantFile[] }
export type VariantFile = Omit<VariantSource, 'prices'> & { prices: Omit<Price, 'rate'>[] }

export type Axis = FamilyFile['axes'][number]

/** The inputs of one medium that a variant takes, with the limits of its model. `max` 0: none. */
export type MediumInputs = { min: number; max: number; field: MediaField } & MediumLimits

/** `maxLength` is in code points. `null`: the model declares no limit. 0: the variant takes no prompt. */
export type PromptLimits = { required: boolean; maxLength: number | null }
export type VariantInputs = { prompt: PromptLimits } & Record<Medium, MediumInputs>

/** `credits` per unit as in the file, and the same as an exact `rate`. The price applies when all conditions in `when` are met. */
export type Price = { unit: PriceUnit; credits: number; when: Record<string, string | number | boolean>; rate: Decimal }

export type RunSeconds = { typical: number; slow: number }

/** One way to run a family: its inputs and one value per axis. Frozen; contains everything that a request needs. */
export type Variant = {
  readonly modelId: string
  readonly label: string
  readonly tasks: readonly Task[]
  readonly axes: Readonly<Record<string, string>>
  readonly inputs: Readonly<VariantInputs>
  readonly parameterNames: readonly string[]
  /** The schema of `parameterNames` only. */
  readonly parameters: ParametersSchema
  readonly prices: readonly Price[]
  readonly priceParameters: VariantFile['priceParameters']
  /** The cheapest possible price of a request to this variant, with one second of input. */
  readonly creditsFrom: Hundredths
  readonly expectedRunSeconds: RunSeconds
  /** Counted from the start of the work. After it the generation fails as `timeout/deadline_exceeded`. */
  readonly deadlineSeconds: number
  /** The variant that runs the work when the vendor of this one has no capacity. */
  readonly fallback?: string | undefined
  readonly provider: { readonly id: string; readonly settings: Readonly<Record<string, Json>> }
  readonly parameterRules: ParameterRules
}

export type Family = {
  readonly id: string
  readonly name: string
  readonly vendor: string
  readonly description: string
  readonly outputType: OutputType
  readonly updatedAt: string
  readonly available: boolean
  readonly requiresSubscription: boolean
  /** True when only teams with a grant may use it. */
  readonly restricted: boolean
  readonly load: { readonly atOnce?: number | undefined; readonly perMinute?: number | undefined }
  readonly axes: readonly Axis[]
  readonly parameters: ParametersSchema
  readonly variants: readonly Variant[]
  /** The tasks of all variants, each once. */
  readonly tasks: readonly Task[]
  readonly creditsFrom: Hundredths
  /** `typical` of the fastest variant, `slow` of the slowest. */
  readonly expectedRunSeconds: RunSeconds
  /** Changes with the file. Without quotes. */
  readonly etag: string
}

function someOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.array(z.enum(values)).min(1)
}
