import type { Family } from '../openapi.ts'

type Schema = { type?: unknown; enum?: unknown; anyOf?: unknown; oneOf?: unknown; properties?: unknown }
type Choice = { modelId: string | undefined; axes: Record<string, string> }

/**
 * Converts a command line value by the schemas of the chosen variants: to a number or boolean where they accept one. Anything else stays
 * text, and the service reports errors.
 */
export function typedParameter(family: Family, choice: Choice, name: string, text: string): unknown {
  const schemas = [...chosen(family, choice), ...family.variants, family].map(({ parameters }) => propertyOf(parameters, name))
  const schema = schemas.find((each) => each !== undefined)
  return schema === undefined ? text : typedValue(schema, text)
}

function chosen({ variants }: Family, { modelId, axes }: Choice): Family['variants'] {
  if (modelId !== undefined) return variants.filter((variant) => variant.modelId === modelId)
  return variants.filter((variant) => Object.entries(axes).every(([name, value]) => variant.axes[name] === value))
}

function propertyOf(parameters: unknown, name: string): Schema | undefined {
  const properties = (parameters as Schema).properties
  const isThere = typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name)
  return isThere ? (properties as Record<string, Schema>)[name] : undefined
}

function typedValue(schema: Schema, text: string): unknown {
  const types = typesOf(schema)
  const members = Array.isArray(schema.enum) ? schema.enum.filter((member) => String(member) === text) : []
  if (members.length === 1) return members[0]
  if (types.has('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (types.has('null') && text === 'null' && !types.has('string')) return null
  const number = types.has('number') || types.has('integer') ? numberIn(text) : undefined
  if (number !== undefined) return number
  return types.has('array') || types.has('object') ? (parsed(text) ?? text) : text
}

/** Parses a number, unless it would lose precision. */
function numberIn(text: string): number | undefined {
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : undefined
}

function typesOf(schema: Schema): Set<unknown> {
  const choices = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? (list as Schema[]) : []))
  return new Set([schema.type ?? []].flat().concat(choices.flatMap((choice) => [...typesOf(choice)])))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
