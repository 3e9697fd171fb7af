import { z } from 'zod'
import { limits } from '../limits.ts'
import type { Hundredths } from '../credits/hundredths.ts'
import type { Decimal } from './decimal.ts'
import type { ParameterRules } from './compileParameters.ts'
import { fieldsOfMedium, type MediaField, type Medium, mimeTypesOfMedium, outputTypes, priceUnits, type OutputType, type PriceUnit, type Task, tasks } from './vocabulary.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const id = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'lowercase letters and digits, parted by single dots or hyphens')
const name = z
  .string()
  .max(60)
  .regex(/^[a-z][a-zA-Z0-9]*$/, 'a camelCase name of ASCII letters and digits')
const text = z.string().trim().min(1)
const seconds = z.number().positive().max(86_400)
const count = z.int().min(0).max(limits.mediaInputs)
const json = z.json()

const byteBounds = { minBytes: z.int().positive().optional(), maxBytes: z.int().positive().max(limits.fileBytes).optional() }
const pixels = z.int().positive()
const frameBounds = {
  minWidth: pixels.optional(),
  maxWidth: pixels.optional(),
  minHeight: pixels.optional(),
  maxHeight: pixels.optional(),
  minAspectRatio: z.number().positive().optional(),
  maxAspectRatio: z.number().positive().optional(),
}
const durationBounds = { minDurationSeconds: seconds.optional(), maxDurationSeconds: seconds.optional() }

function mediumSchema<M extends Medium, Bounds extends z.core.$ZodLooseShape>(medium: M, bounds: Bounds) {
  return z.strictObject({
    min: count,
    max: count.min(1),
    field: z.enum(fieldsOfMedium[medium]),
    mimeTypes: z.array(z.enum(mimeTypesOfMedium[medium])).min(1),
    ...bounds,
  })
}
