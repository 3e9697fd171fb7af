import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from '../../contract/json.ts'
import { narrowParameters, type ParametersSchema } from './parametersSchema.ts'

/** The parameters of one variant, compiled. `validate` fills defaults into the value that it is given and leaves `errors` behind. */
export type ParameterRules = { names: ReadonlySet<string>; validate: ValidateFunction }

export type SchemaCompiler = {
  /** The family's schema cut down to the parameters `names`. Throws where the schema itself is faulty. */
  variant(schema: ParametersSchema, names: readonly string[]): ParameterRules
  /** Whether a value fits the schema of one parameter. Throws where the schema itself is faulty. */
  property(schema: Readonly<Record<string, Json>>): (value: Json) => boolean
}

/**
 * Compiles JSON Schema 2020-12 for the lifetime of one catalog: strict about the schemas, no coercion of values, own properties alone.
 * `format` is refused, since no format is known to it: an address has no business under `parameters`.
 */
export function makeSchemaCompiler(): SchemaCompiler {
  const ajv = new Ajv2020({ strict: true, allErrors: true, useDefaults: true, ownProperties: true, messages: true, logger: false })
  return {
    // Variants of a family mostly share their parameters, and compiling is the dear part of a start.
    variant: memoizeBySchema((schema, names) => ({ names: new Set(names), validate: ajv.compile(narrowParameters(schema, names)) })),
    property: memoizeBySchema((schema) => {
      // Inside a property a default has a meaning, at the root of a schema the compiler refuses it.
      const validate = ajv.compile({ type: 'object', properties: { value: schema } })
      return (value) => validate({ value: structuredClone(value) })
    }),
  }
}

/** Makes each result once for the same schema object and the same names. */
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
