import type { ArgumentRef, FieldMap, InputFieldRef, InputObjectRef } from '@pothos/core'
import { z } from 'zod'
import { invariant } from '../../domain/invariant.ts'
import { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes
type LeafType = 'ID' | 'String' | 'Int' | 'Float' | 'Boolean' | 'DateTime' | 'JSON' | 'Upload'
type TypeRef = LeafType | { $inferType: unknown } | { $inferInput: unknown }
type FieldType = TypeRef | [TypeRef]

/** Options of fields that a shape does not have: an enum, an object type, `ID`, another description, or the longest value. */
type ShapeOptions<Shape extends z.ZodObject> = {
  [Name in keyof z.output<Shape>]?: { type?: FieldType; description?: string; extensions?: { maxFieldBytes: number } }
}

/**
 * The fields of an object type that mirrors a REST shape: each has the name, type, nullability and description of the shape.
 * Throws at the start for a nested object without a type in `options`.
 */
export function outputFields<Shape extends z.ZodObject>(
  t: { expose(name: never, options: never): unknown },
  shape: Shape,
  options: ShapeOptions<Shape> = {},
): FieldMap {
  const expose = (name: string, { isRequired, ...field }: Field) => t.expose(name as never, { ...field, nullable: !isRequired } as never)
  return mapFields(shape, options, expose) as FieldMap
}

/**
 * An input type with the fields of a shape. `@pothos/plugin-zod` validates its values with that shape, so that resolvers get the output of
 * the shape.
 */
export function inputTypeOf<Shape extends z.ZodObject>(
  name: string,
  shape: Shape,
  { description, fields = {} }: { description?: string; fields?: ShapeOptions<Shape> } = {},
): InputObjectRef<Types, z.output<Shape>> {
  return builder.inputType(name, {
    ...(description === undefined ? {} : { description }),
    validate: { schema: shape },
    fields: (t) => mapFields(shape, fields, (_name, field) => inputField(t, field)) as Record<string, InputFieldRef<Types, unknown>>,
  }) as unknown as InputObjectRef<Types, z.output<Shape>>
}

/** Arguments with the names, types and rules of the fields of a shape. An argument with a type in `options` is validated by that type. */
export function argumentsOf<Shape extends z.ZodObject>(shape: Shape, options: ShapeOptions<Shape> = {}) {
  const fields = builder.args((t) => {
    const argument = (name: string, field: Field) => {
      const isTyped = options[name as keyof typeof options]?.type !== undefined
      return inputField(t, { ...field, ...(isTyped ? {} : { validate: { schema: unwrap(shape.shape[name] as z.ZodType) } }) })
    }
    return mapFields(shape, options, argument) as Record<string, InputFieldRef<Types, unknown>>
  })
  return fields as unknown as { [Name in keyof z.output<Shape>]-?: ArgumentRef<Types, z.output<Shape>[Name] | null | undefined> }
}

type Field = { type: FieldType; isRequired: boolean; description?: string; defaultValue?: unknown; validate?: { schema: z.ZodType } }

function inputField(t: { field(options: never): unknown }, { isRequired, ...field }: Field): unknown {
  return t.field({ ...field, required: isRequired } as never)
}

function mapFields<Shape extends z.ZodObject>(shape: Shape, options: ShapeOptions<Shape>, make: (name: string, field: Field) => unknown) {
  const members = Object.entries<z.ZodType>(shape.shape)
  return Object.fromEntries(
    members.map(([name, schema]) => {
      const own = options[name as keyof typeof options]
      const type = own?.type ?? leafTypeOf(unwrap(schema))
      invariant(type, `name the GraphQL type of the field ${name}: its shape is an object`)
      return [name, make(name, { ...optionsOf(schema), ...own, type })]
    }),
  )
}

function optionsOf(schema: z.ZodType): Omit<Field, 'type'> {
  const description = descriptionOf(schema)
  return {
    isRequired: !schema.safeParse(undefined).success && !schema.safeParse(null).success,
    ...(description === undefined ? {} : { description }),
    ...(schema instanceof z.ZodDefault ? { defaultValue: schema.def.defaultValue } : {}),
  }
}

/** The description of the field. That of a named shape describes a type, not the field. */
function descriptionOf(schema: z.ZodType): string | undefined {
  const { id, description } = schema.meta() ?? {}
  if (id !== undefined) return undefined
  return description ?? (isWrapper(schema) ? descriptionOf(schema.unwrap() as z.ZodType) : undefined)
}

/** The schema inside `optional`, `nullable`, `default` and `readonly`. */
function unwrap(schema: z.ZodType): z.ZodType {
  return isWrapper(schema) ? unwrap(schema.unwrap() as z.ZodType) : schema
}

function isWrapper(schema: z.ZodType): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly {
  return wrappers.some((each) => schema instanceof each)
}
const wrappers = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodReadonly]

/** The scalar type of a value; `undefined` for an object. A date is a `DateTime`; an enum without a type in `options` is a `String`. */
function leafTypeOf(schema: z.ZodType): LeafType | [LeafType] | undefined {
  const { def } = schema as z.ZodType & { def: { type: string; format?: string; element?: z.ZodType; in?: z.ZodType } }
  switch (def.type) {
    case 'string':
      return def.format === 'datetime' ? 'DateTime' : 'String'
    case 'enum':
      return 'String'
    case 'date':
      return 'DateTime'
    case 'boolean':
      return 'Boolean'
    case 'number':
      return def.format === 'safeint' ? 'Int' : 'Float'
    case 'pipe':
      return def.in && leafTypeOf(unwrap(def.in))
    case 'array': {
      const item = def.element && leafTypeOf(unwrap(def.element))
      return typeof item === 'string' ? [item] : undefined
    }
    case 'object':
      return undefined
    default:
      return isDescribedAsList(schema) ? ['String'] : 'JSON'
  }
}

/** Whether the JSON Schema of a custom schema is a list. */
function isDescribedAsList(schema: z.ZodType): boolean {
  const described = schema.meta()?.['override'] as { type?: string } | undefined
  return described?.type === 'array'
}
