import { z } from 'zod'

/** The field names of the object schema at `path`; empty when the schema there is not an object with fixed fields. */
export function fieldsAt(schema: z.ZodType | undefined, path: readonly (string | number)[]): string[] {
  const object = path.reduce<z.core.$ZodType | undefined>((here, step) => stepInto(bare(here), step), schema)
  const found = bare(object)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function stepInto(schema: z.core.$ZodType | undefined, step: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.core.$ZodType>)[step] : undefined
}

/** The schema inside `optional` and `nullable`. */
function bare(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}
