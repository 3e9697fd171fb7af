import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/**
 * Answers may gain fields within the version, so none is closed to them; and a whole number needs no bounds where it has none of its own.
 * That makes a schema look the same in requests and answers, wherever it is described. What may be null says so in its `type`, and that
 * names are texts is not said at all: generators of code read both best that way.
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

/** A choice between one plain type and null, as one schema of both types; what has a name, or lists its values, stays a choice. */
function nullableSchema(choice: unknown): JsonSchema | undefined {
  if (!Array.isArray(choice) || choice.length !== 2) return undefined
  const [schema, nothing] = choice as [JsonSchema, JsonSchema]
  if (nothing['type'] !== 'null' || typeof schema['type'] !== 'string' || 'enum' in schema) return undefined
  return { ...schema, type: [schema['type'], 'null'] }
}
