import { z } from 'zod'
import type { LockReason } from '../domain/catalog/availability.ts'
import type { Family, MediumLimits, Price, Variant } from '../domain/catalog/family.ts'
import { media } from '../domain/catalog/vocabulary.ts'
import { creditsOf } from '../domain/credits/hundredths.ts'
import { credits, moment } from './credits.ts'
import { lockReason, mediaField, outputType, priceUnit, runSeconds, task } from './vocabulary.ts'

const medium = z
  .object({
    min: z.int(),
    max: z.int(),
    field: mediaField.meta({ description: 'The request field that carries these inputs.' }),
    mimeTypes: z.array(z.string()),
    minBytes: z
      .int()
      .optional()
      .meta({ description: 'Where given, the model itself accepts nothing beyond this and the following limits.' }),
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

/** What a variant takes beside its parameters. */
export const variantInputs = z
  .object({
    prompt: z.object({
      required: z.boolean(),
      maxLength: z.int().nullable().meta({ description: 'In code points; null when the model names no limit.' }),
    }),
    images: medium,
    videos: medium,
    audios: medium,
    models3d: medium,
  })
  .meta({ id: 'VariantInputs', description: 'What a variant takes beside its parameters.' })

const price = z
  .object({
    unit: priceUnit,
    credits: z.number().min(0),
    when: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Parameter values for which this price holds; empty when it always does.' }),
  })
  .meta({ id: 'Price' })

const axis = z
  .object({ name: z.string(), label: z.string(), values: z.array(z.string()), default: z.string() })
  .meta({ id: 'Axis', description: 'A choice by which the variants of a family differ, for example its `version`.' })

const variant = z
  .object({
    modelId: z.string(),
    label: z.string(),
    tasks: z.array(task),
    axes: z.record(z.string(), z.string()),
    inputs: variantInputs,
    parameterNames: z.array(z.string()),
    prices: z.array(price),
    creditsFrom: credits,
    expectedRunSeconds: runSeconds,
  })
  .meta({ id: 'Variant' })

/** A family of the catalog, the same in the list and alone. Contract: section 3, GET /families. */
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
    parameters: z.record(z.string(), z.unknown()).meta({ description: 'A JSON Schema (2020-12) of `parameters`.' }),
    creditsFrom: credits,
    expectedRunSeconds: runSeconds,
    updatedAt: moment,
  })
  .meta({ id: 'Family' })

export type PublicFamily = z.output<typeof family>

const shapes = new WeakMap<Family, Omit<PublicFamily, 'available' | 'lockReason'>>()

/** Translates a family for a caller for whom it is locked by `lockReason`, or open. */
export function presentFamily(of: Family, lockReason: LockReason | undefined): PublicFamily {
  let shape = shapes.get(of)
  if (!shape) {
    shape = shapeOf(of)
    shapes.set(of, shape)
  }
  return { ...shape, available: lockReason === undefined, ...(lockReason ? { lockReason } : {}) }
}

function shapeOf(of: Family): Omit<PublicFamily, 'available' | 'lockReason'> {
  return {
    id: of.id,
    name: of.name,
    vendor: of.vendor,
    description: of.description,
    tasks: [...of.tasks],
    outputType: of.outputType,
    axes: of.axes.map(({ name, label, values, default: standard }) => ({ name, label, values: [...values], default: standard })),
    variants: of.variants.map(presentVariant),
    parameters: { ...of.parameters },
    creditsFrom: creditsOf(of.creditsFrom),
    expectedRunSeconds: { ...of.expectedRunSeconds },
    updatedAt: of.updatedAt,
  }
}

function presentVariant(of: Variant): PublicFamily['variants'][number] {
  const [images, videos, audios, models3d] = media.map((each) => presentMedium(of.inputs[each])) as [Medium, Medium, Medium, Medium]
  return {
    modelId: of.modelId,
    label: of.label,
    tasks: [...of.tasks],
    axes: { ...of.axes },
    inputs: { prompt: { ...of.inputs.prompt }, images, videos, audios, models3d },
    parameterNames: [...of.parameterNames],
    prices: of.prices.map(presentPrice),
    creditsFrom: creditsOf(of.creditsFrom),
    expectedRunSeconds: { ...of.expectedRunSeconds },
  }
}

type Medium = z.output<typeof medium>

function presentMedium({ mimeTypes, ...limits }: MediumLimits): Medium {
  return { ...limits, mimeTypes: [...mimeTypes] }
}

function presentPrice({ unit, credits: each, when }: Price) {
  return { unit, credits: each, when: { ...when } }
}
