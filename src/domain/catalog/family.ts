import { z } from 'zod'
import type { Json } from '../../contract/json.ts'
import { limits } from '../../contract/limits.ts'
import { type PriceUnit, priceUnits } from '../../contract/shapes/family.ts'
import { fieldsOfMedium, type MediaField, type Medium, mimeTypesOfMedium } from '../../contract/shapes/media.ts'
import type { MediumLimits } from '../../contract/shapes/mediumLimits.ts'
import { type OutputType, outputTypes } from '../../contract/shapes/outputTypes.ts'
import { type Task, tasks } from '../../contract/shapes/tasks.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { ParameterRules } from './compileParameters.ts'
import type { Decimal } from './decimal.ts'
import { parameterName as name, type ParametersSchema, parametersSchema } from './parametersSchema.ts'

const identifier = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'Takes lowercase letters and digits, parted by single dots or hyphens')
const words = z.string().trim().min(1)
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

/** In credits as they are, or in US dollars, which the configured rate turns into credits. */
const price = z
  .strictObject({
    unit: z.enum(priceUnits),
    credits: amount.optional(),
    usd: amount.optional(),
    when: z.record(name, z.union([z.string(), z.number(), z.boolean()])).default({}),
  })
  .refine(({ credits, usd }) => (credits === undefined) !== (usd === undefined), 'Takes credits or usd, one of the two')

/** Which parameters the units `output_second` and `megapixel` are counted from. */
const priceParameters = z.strictObject({
  outputSeconds: name.default('durationSeconds'),
  width: name.default('width'),
  height: name.default('height'),
})

/** What the family's models may be asked at once and in a minute, over all processes. */
const load = z.strictObject({ atOnce: z.int().positive().max(100_000).optional(), perMinute: z.int().positive().max(100_000).optional() })

const runSeconds = z.strictObject({ typical: seconds, slow: seconds })

const variant = z.strictObject({
  modelId: identifier,
  label: words,
  tasks: z.array(z.enum(tasks)).min(1),
  axes: z.record(name, words).default({}),
  inputs,
  parameterNames: z.array(name),
  prices: z.array(price).min(1),
  priceParameters: priceParameters.prefault({}),
  expectedRunSeconds: runSeconds,
  deadlineSeconds: seconds,
  fallback: identifier.optional(),
  provider: z.strictObject({ id: identifier, settings: z.record(z.string(), z.json()).default({}) }),
})

/**
 * A family file under `catalog/`. What holds between its parts is checked by `checkFamily`.
 * Contract: docs/contract.md#family-object.
 */
export const familyFile = z.strictObject({
  id: identifier,
  name: words,
  vendor: words,
  description: words,
  outputType: z.enum(outputTypes),
  updatedAt: z.iso.datetime({ precision: 3, error: 'Takes a moment like 2026-01-31T00:00:00.000Z' }),
  available: z.boolean().default(true),
  requiresSubscription: z.boolean().default(false),
  restricted: z.boolean().default(false),
  load: load.default({}),
  axes: z.array(z.strictObject({ name, label: words, values: z.array(words).min(1), default: words })).default([]),
  parameters: parametersSchema,
  variants: z.array(variant).min(1),
})

/** A file that has the right shape, with its omitted places filled. */
export type FamilySource = z.output<typeof familyFile>
type VariantSource = FamilySource['variants'][number]

/** The same with every price in credits. */
export type FamilyFile = Omit<FamilySource, 'variants'> & { variants: VariantFile[] }
export type VariantFile = Omit<VariantSource, 'prices'> & { prices: Omit<Price, 'rate'>[] }

export type Axis = FamilyFile['axes'][number]

/** What a variant takes of one medium, and what its model itself accepts. `max` 0: none at all. */
export type MediumInputs = { min: number; max: number; field: MediaField } & MediumLimits

/** `maxLength` is in code points: `null` where the model declares none, 0 where the variant takes no prompt. */
export type PromptLimits = { required: boolean; maxLength: number | null }
export type VariantInputs = { prompt: PromptLimits } & Record<Medium, MediumInputs>

/** `credits` for each unit as the file says them, and the same exactly in `rate`. The line counts when all of `when` holds. */
export type Price = { unit: PriceUnit; credits: number; when: Record<string, string | number | boolean>; rate: Decimal }

export type RunSeconds = { typical: number; slow: number }

/** One way to run a family: a scenario on one value of every axis. Frozen; holds everything that a request needs, ready made. */
export type Variant = {
  readonly modelId: string
  readonly label: string
  readonly tasks: readonly Task[]
  readonly axes: Readonly<Record<string, string>>
  readonly inputs: Readonly<VariantInputs>
  readonly parameterNames: readonly string[]
  /** The schema of just these. */
  readonly parameters: ParametersSchema
  readonly prices: readonly Price[]
  readonly priceParameters: VariantFile['priceParameters']
  /** The cheapest price that any request to this variant can have; an input second is counted as one. */
  readonly creditsFrom: Hundredths
  readonly expectedRunSeconds: RunSeconds
  /** From the start of the work; past it the generation fails as `timeout/deadline_exceeded`. */
  readonly deadlineSeconds: number
  /** The variant that takes the work over when this one's vendor has no room. */
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
  /** For teams that were granted it alone. */
  readonly restricted: boolean
  readonly load: { readonly atOnce?: number | undefined; readonly perMinute?: number | undefined }
  readonly axes: readonly Axis[]
  readonly parameters: ParametersSchema
  readonly variants: readonly Variant[]
  /** The tasks of all variants, each once. */
  readonly tasks: readonly Task[]
  readonly creditsFrom: Hundredths
  /** Typical of the quickest variant, slow of the slowest. */
  readonly expectedRunSeconds: RunSeconds
  /** Changes when the file does; without quotes. */
  readonly etag: string
}

function someOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.array(z.enum(values)).min(1)
}
