import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from '../../contract/json.ts'
import { narrowParameters, type ParametersSchema } from './parametersSchema.ts'

/** The compiled parameters of a variant. `validate` fills defaults into its argument and sets `errors`. */
export type ParameterRules = { names: ReadonlySet<string>; validate: ValidateFunction }

export type SchemaCompiler = {
  /** Compiles the family's schema for the parameters `names`. Throws when the schema is invalid. */
  variant(schema: ParametersSchema, names: readonly string[]): ParameterRules
  /** Returns a check of a value against the schema of one parameter. Throws when the schema is invalid. */
  property(schema: Readonly<Record<string, Json>>): (value: Json) => boolean
}

/**
 * Compiles JSON Schema 2020-12 for one catalog: strict schemas, no coercion of values, own properties only. `format` is refused as
 * unknown, because an address is not allowed in `parameters`.
 */
export function makeSchemaCompiler(): SchemaCompiler {
  const ajv = new Ajv2020({ strict: true, allErrors: true, useDefaults: true, ownProperties: true, messages: true, logger: false })
  return {
    // Compiling is the slow part of a start, and variants of a family mostly have the same parameters.
    variant: memoizeBySchema((schema, names) => ({ names: new Set(names), validate: ajv.compile(narrowParameters(schema, names)) })),
    property: memoizeBySchema((schema) => {
      // The compiler allows a default in a property, but not at the root of a schema.
      const validate = ajv.compile({ type: 'object', properties: { value: schema } })
      return (value) => validate({ value: structuredClone(value) })
    }),
  }
}

/** Caches the result per schema object and names. */
function memoizeBySchema<Schema extends object, Result>(
  make: (schema: Schema, names: readonly string[]) => Result,
): (schema: Schema, names?: readonly string[]) => Result {
  const results = new WeakMap<Schema, Map<string, Result>>()
  return (schema, names = []) => {
    const ofSchema = results.get(schema) ?? new Map<string, Result>()
    results.set(schema, ofSchema)
    const key = names.toSorted().join()
    const result = ofSchema.get(key) ?? make(schema, names)
    ofSchema.set(key, result)
    return result
  }
}
