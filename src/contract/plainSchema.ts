import { z } from 'zod'

type JsonSchema = Record<string, unknown>

/**
 * Answers may gain fields within the version, so none is closed to them; and a whole number needs no bounds where it has none of its own.
 * That makes a schema look the same in requests and answers, wherever it is described.
 */
export function plainly({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }): void {
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema['additionalProperties']
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
}
