import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/**
 * Simplifies a schema for code generators. Objects stay open, because responses may gain fields within the version. Bounds of safe integers
 * and `propertyNames` of plain strings are removed. A nullable plain type becomes a `type` list. Requests and responses then look alike.
 */
export function simplifyJsonSchema({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema['additionalProperties']
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
  if (isAnyText(jsonSchema['propertyNames'])) delete jsonSchema['propertyNames']
  const plain = nullableSchema(jsonSchema['anyOf'])
  if (plain) {
    delete jsonSchema['anyOf']
    Object.assign(jsonSchema, plain)
  }
}

function isAnyText(names: unknown): boolean {
  return JSON.stringify(names) === '{"type":"string"}'
}

/** A choice between one plain type and null, as one schema with both types. A named schema or an enum stays a choice. */
function nullableSchema(choice: unknown): JsonSchema | undefined {
  if (!Array.isArray(choice) || choice.length !== 2) return undefined
  const [schema, nothing] = choice as [JsonSchema, JsonSchema]
  if (nothing['type'] !== 'null' || typeof schema['type'] !== 'string' || 'enum' in schema) return undefined
  return { ...schema, type: [schema['type'], 'null'] }
}
