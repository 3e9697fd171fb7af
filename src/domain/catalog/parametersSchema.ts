import { z } from 'zod'

/** The name of a parameter or an axis. */
export const parameterName = z
  .string()
  .max(60)
  .regex(/^[a-z][a-zA-Z0-9]*$/, 'Takes a camelCase name of ASCII letters and digits')

/** What a family's requests may set, as its file says it: a JSON Schema (2020-12) of one object. */
export const parametersSchema = z.strictObject({
  type: z.literal('object'),
  additionalProperties: z.literal(false),
  required: z.array(parameterName).optional(),
  properties: z.record(parameterName, z.record(z.string(), z.json())),
})
export type ParametersSchema = z.output<typeof parametersSchema>

/** The schema of just the parameters `names`. */
export function narrowParameters({ properties, required = [] }: ParametersSchema, names: readonly string[]): ParametersSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: required.filter((name) => names.includes(name)),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))),
  }
}
