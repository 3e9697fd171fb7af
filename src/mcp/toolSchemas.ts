import type { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { simplifyJsonSchema } from '../contract/shapes/simplifyJsonSchema.ts'
import { refusedCall } from './refusedCall.ts'

export type JsonSchema = { [name: string]: unknown }
export type ObjectSchema = JsonSchema & { type: 'object' }

/** What a tool takes, as JSON Schema. Nothing is combined at its root, which many hosts of models do not take: descriptions say it. */
export function inputSchemaOf(schema: z.ZodType): ObjectSchema {
  const { oneOf: _, anyOf: __, allOf: ___, dependentSchemas: ____, ...root } = inlined(schema, 'input')
  return { ...root, type: 'object' }
}

/**
 * What a tool gives: the fields of REST, or nothing but why the call was refused. Both stand in it, since clients hold the structured
 * content of errors against it, too.
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

/** Each reference replaced by what it leads to: not every host follows them. None leads back to itself. */
function resolved(node: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((each) => resolved(each, components))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as { $ref?: unknown }
  const whole = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, resolved(value, components)]))
  if (typeof $ref !== 'string') return whole
  return { ...(resolved(components[$ref.slice(prefix.length)], components) as object), ...whole }
}
