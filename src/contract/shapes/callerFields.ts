import { z } from 'zod'
import { limits } from '../limits.ts'
import type { CustomParams } from '../refusals/issues.ts'
import { codePoints } from '../refusals/plainText.ts'

type Fault = { issue: CustomParams['issue']; message: string }

/** The caller's own strings by name, stored unchanged, `__proto__` included. */
export const metadata = z
  .custom<Record<string, string>>()
  .superRefine((value: unknown, context) => {
    const refuse = ({ issue, message }: Fault, path: string[] = []) =>
      context.addIssue({ code: 'custom', path, message, params: { issue } satisfies CustomParams })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refuse({ issue: 'wrong_type', message: 'Takes an object of strings.' })
      return
    }
    const entries = Object.entries(value)
    if (entries.length > limits.metadataEntries) {
      refuse({ issue: 'too_big', message: `Takes at most ${limits.metadataEntries} entries.` })
      return
    }
    for (const [name, text] of entries) {
      const fault = lengthFault(name, { min: 1, max: limits.metadataNameCharacters, of: ' in the name' }) ?? faultOf(text)
      if (fault) refuse(fault, [name])
    }
  })
  .meta({
    description: 'Your own strings by name. The service stores and returns them, and does not interpret them.',
    override: {
      type: 'object',
      maxProperties: limits.metadataEntries,
      propertyNames: { type: 'string', minLength: 1, maxLength: limits.metadataNameCharacters },
      additionalProperties: { type: 'string', maxLength: limits.metadataValueCharacters },
    },
  })

/** The caller's own text to find a generation. White space at its ends is part of it. */
export const reference = z
  .string()
  .superRefine((text, context) => {
    const fault = lengthFault(text, { min: 1, max: limits.referenceCharacters })
    if (fault) context.addIssue({ code: 'custom', message: fault.message, params: { issue: fault.issue } satisfies CustomParams })
  })
  .meta({ override: { type: 'string', minLength: 1, maxLength: limits.referenceCharacters } })

/**
 * Fields of the caller's own that a start takes and its generation returns, never interpreted. Each is stored in the column of its name,
 * may differ between a quote and its start, and is empty in generations that did not get it.
 * Contract: docs/contract.md#start-a-generation.
 */
export const requestedCallerFields = {
  reference: reference.meta({ description: 'Your own reference, to find the generation. The service does not interpret it.' }).optional(),
  metadata: metadata.optional(),
}

/** The same fields in a generation. */
export const returnedCallerFields = {
  reference: z.string().nullable().meta({ description: 'Your reference; null when not set.' }),
  metadata: z.record(z.string(), z.string()).meta({ description: 'Your metadata, by name; empty when not set.' }),
}

type CallerFields = z.output<z.ZodObject<typeof returnedCallerFields>>

const emptyCallerFields: CallerFields = { reference: null, metadata: {} }
const names = Object.keys(emptyCallerFields) as (keyof CallerFields)[]

export const callerFieldExamples: CallerFields = { reference: 'order-4711', metadata: { project: 'harbour' } }

/** These fields of a request, a row or a response; empty where it has none. */
export function callerFieldsOf(given: { [Name in keyof CallerFields]?: CallerFields[Name] | undefined }): CallerFields {
  return Object.fromEntries(names.map((name) => [name, given[name] ?? emptyCallerFields[name]])) as CallerFields
}

/** A request without these fields: what determines its work. */
export function withoutCallerFields<Request extends object>(request: Request): Omit<Request, keyof CallerFields> {
  const others = Object.entries(request).filter(([name]) => !Object.hasOwn(emptyCallerFields, name))
  return Object.fromEntries(others) as Omit<Request, keyof CallerFields>
}

function faultOf(text: unknown): Fault | undefined {
  if (typeof text !== 'string') return { issue: 'wrong_type', message: 'Takes a string.' }
  return lengthFault(text, { min: 0, max: limits.metadataValueCharacters })
}

/** `min` and `max` in code points. */
function lengthFault(text: string, { min, max, of = '' }: { min: number; max: number; of?: string }): Fault | undefined {
  if (text.length < min) return { issue: 'too_small', message: `Takes at least ${min} characters${of}.` }
  if (text.length <= max || (text.length <= 2 * max && codePoints(text) <= max)) return undefined
  return { issue: 'too_long', message: `Takes at most ${max} characters${of}.` }
}
