import { z } from 'zod'

/** The name of a parameter or an axis. */
export const parameterName = z
  .string()
  .max(60)
  .regex(/^[a-z][a-zA-Z0-9]*$/, 'Takes a camelCase name of ASCII letters and digits')

/** The JSON Schema (2020-12) of a family's parameters, as in its file: one object. */
export const parametersSchema = z.strictObject({
  type: z.literal('object'),
  additionalProperties: z.literal(false),
  required: z.array(parameterName).optional(),
  properties: z.record(parameterName, z.record(z.string(), z.json())),
})
export type ParametersSchema = z.output<typeof parametersSchema>

/** The schema of the parameters `names` only. */
export function narrowParameters({ properties, required = [] }: ParametersSchema, names: readonly string[]): ParametersSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: required.filter((name) => names.includes(name)),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name))),
  }
}
