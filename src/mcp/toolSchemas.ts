import type { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { simplifyJsonSchema } from '../contract/shapes/simplifyJsonSchema.ts'

export type JsonSchema = { [name: string]: unknown }
export type ObjectSchema = JsonSchema & { type: 'object' }

/** The input schema of a tool. Without oneOf, anyOf and allOf at its root, which many hosts refuse: the descriptions contain those rules. */
export function inputSchemaOf(schema: z.ZodType): ObjectSchema {
  const { oneOf: _, anyOf: __, allOf: ___, dependentSchemas: ____, ...root } = inlined(schema, 'input')
  return { ...root, type: 'object' }
}

/**
 * The output schema of a tool: the top-level fields of the result with their types, and the refusal of a call, because clients also
 * validate the structured content of errors. Short, because a model reads the schemas of all tools before its first call; the whole shapes
 * are in the OpenAPI document.
 */
export function outputSchemaOf(schema: z.ZodType): ObjectSchema {
  const { properties } = inlined(schema, 'output')
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([name, field]) => [name, typeOnly(field)])
  return { type: 'object', properties: { ...Object.fromEntries(fields), error: { type: 'object' } } }
}

/** The types of a value, without its description, fields and limits. */
function typeOnly({ type, anyOf }: JsonSchema): JsonSchema {
  if (type !== undefined) return { type }
  const types = Array.isArray(anyOf) ? anyOf.flatMap((each: JsonSchema) => each['type'] ?? []) : []
  return types.length === 0 ? {} : { type: [...new Set(types)] }
}

function inlined(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = createSchema(schema, { io, opts: { allowEmptySchema: { custom: true, optional: true }, override: simplifyJsonSchema } })
  return resolved(made.schema, made.components) as JsonSchema
}

const prefix = '#/components/schemas/'

/** The schema with its references inlined, because not every host resolves them. No reference is recursive. */
function resolved(node: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((each) => resolved(each, components))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as { $ref?: unknown }
  const whole = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, resolved(value, components)]))
  if (typeof $ref !== 'string') return whole
  return { ...(resolved(components[$ref.slice(prefix.length)], components) as object), ...whole }
}
