import type { Family, Variant } from './catalogQueries.ts'
import { type MediumName, mediumNames } from './familyLabels.ts'
import { type Field, fieldsOf, isObject } from './schemaFields.ts'

/** The entered values. An absent parameter keeps its default. */
export type Draft = {
  modelId: string
  prompt: string
  /** Values by parameter name. A group has values by name, JSON and incomplete numbers are text as typed. */
  parameters: Readonly<Record<string, unknown>>
  /** The pasted identifiers, by medium. */
  media: Readonly<Partial<Record<MediumName, string>>>
}

/** The body of POST /generations, and the `input` of an estimate. */
export type GenerationBody = {
  familyId: string
  modelId: string
  prompt?: string
  parameters?: Record<string, unknown>
  imageIds?: string[]
  videoId?: string
  videoIds?: string[]
  audioIds?: string[]
  model3dIds?: string[]
}

/**
 * Builds the request: only fields of the variant, without values equal to their default. It names the variant, so that exactly this
 * variant runs or is refused.
 */
export function generationBody({ id }: Pick<Family, 'id'>, variant: Variant, draft: Draft): GenerationBody {
  const parameters = valuesOf(fieldsOf(variant.parameters), draft.parameters)
  const inputs = mediumNames.flatMap((medium) => inputOf(variant.inputs[medium], draft.media[medium] ?? ''))
  return {
    familyId: id,
    modelId: variant.modelId,
    ...(draft.prompt !== '' && variant.inputs.prompt.maxLength !== 0 ? { prompt: draft.prompt } : {}),
    ...(parameters === undefined ? {} : { parameters }),
    ...Object.fromEntries(inputs),
  }
}

function inputOf({ max, field }: { max: number; field: string }, pasted: string): [string, unknown][] {
  const ids = pasted.split(/[\s,]+/).filter((id) => id !== '')
  if (max === 0 || ids.length === 0) return []
  return [[field, field === 'videoId' && ids.length === 1 ? ids[0] : ids]]
}

function valuesOf(fields: readonly Field[], given: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const values = fields.flatMap((field): [string, unknown][] => {
    const value = valueOf(field, Object.hasOwn(given, field.name) ? given[field.name] : undefined)
    return value === undefined || isSame(value, field.standard) ? [] : [[field.name, value]]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

function valueOf({ control, standard }: Field, value: unknown): unknown {
  switch (control.kind) {
    case 'group':
      return valuesOf(control.fields, isObject(value) ? value : {})
    case 'json':
      return parsed(value)
    case 'number':
      return typeof value === 'number' ? value : undefined
    case 'text':
      return value === '' && standard === undefined ? undefined : value
    default:
      return value
  }
}

/** `undefined` for invalid JSON, which the field reports. */
export function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
