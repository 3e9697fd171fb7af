import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/**
 * Answers may gain fields within the version, so none is closed to them; and a whole number needs no bounds where it has none of its own.
 * That makes a schema look the same in requests and answers, and stand in the document once.
 */
export function plainly({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema['additionalProperties']
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
}

/** Takes away what the library repeats beside a reference: only words of its own may stand there. */
export function bareReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bareReferences)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, description } = node as { $ref?: unknown; description?: unknown }
  if (typeof $ref === 'string') return description === undefined ? { $ref } : { $ref, description }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, bareReferences(value)]))
}
