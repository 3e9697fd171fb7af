import type { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { simplifyJsonSchema } from '../contract/shapes/simplifyJsonSchema.ts'
import { refusedCall } from './refusedCall.ts'

export type JsonSchema = { [name: string]: unknown }
export type ObjectSchema = JsonSchema & { type: 'object' }

/** The input schema of a tool. Without oneOf, anyOf and allOf at its root, which many hosts refuse: the descriptions contain those rules. */
export function inputSchemaOf(schema: z.ZodType): ObjectSchema {
  const { oneOf: _, anyOf: __, allOf: ___, dependentSchemas: ____, ...root } = inlined(schema, 'input')
  return { ...root, type: 'object' }
}

/**
 * The output schema of a tool: the fields of REST, or the refusal of a call. Contains both, because clients also validate the structured
 * content of errors.
 */
export function outputSchemaOf(schema: z.ZodType): ObjectSchema {
  const { required, properties, ...root } = inlined(schema, 'output')
  const { error: failure, ...fields } = (properties ?? {}) as JsonSchema
  const { error: refused } = inlined(refusedCall, 'output')['properties'] as JsonSchema
  const error = failure === undefined ? refused : { anyOf: [failure, refused] }
  return { ...root, type: 'object', properties: { ...fields, error }, anyOf: [{ required }, { required: ['error'] }] }
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
