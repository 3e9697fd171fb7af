import { type GraphQLNamedType, isEnumType, isInputObjectType, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql'
import { expect, test } from 'vitest'
import { commonDescriptions } from '../../src/schema/descriptions/commonDescriptions.ts'
import { memberDescriptions } from '../../src/schema/descriptions/describeSchema.ts'
import { typeDescriptions } from '../../src/schema/descriptions/typeDescriptions.ts'
import { schema } from '../../src/schema/schema.ts'

type Named = { name: string; description?: string | null | undefined }
type Element = { path: string; description?: string | null | undefined }

const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'))

/** The type, its fields or input fields, and their arguments. The values of an enum are described together, by the enum. */
function elementsOf(type: GraphQLNamedType): Element[] {
  const own = { path: type.name, description: type.description }
  if (!isObjectType(type) && !isInputObjectType(type)) return [own]
  const members = Object.values(type.getFields()).flatMap((field) => {
    const path = `${type.name}.${field.name}`
    const args: readonly Named[] = 'args' in field ? field.args : []
    const described = args.map(({ name, description }) => ({ path: `${path}.${name}`, description }))
    return [{ path, description: field.description }, ...described]
  })
  return [own, ...members]
}

const described = types
  .filter(
    (type) => isEnumType(type) || isObjectType(type) || isInputObjectType(type) || (isScalarType(type) && !isSpecifiedScalarType(type)),
  )
  .flatMap(elementsOf)

test('every type, field, argument, input field and group of enum values of GraphQL has a description', () => {
  expect(described.length).toBeGreaterThan(700)
  expect(described.filter(({ description }) => !description?.trim()).map(({ path }) => path)).toEqual([])
})

test('a description is a sentence or a phrase with a capital and a full stop', () => {
  const faulty = described.filter(({ description }) => !/^[\p{Lu}\d`'"].*[.:,a-z)]$/su.test(description ?? ''))
  expect(faulty.map(({ path, description }) => `${path}: ${description}`)).toEqual([])
})

test('every written description is used', () => {
  const used = new Map(described.map(({ path, description }) => [path, description]))
  const shown = (table: Record<string, string>) => Object.entries(table).filter(([path, text]) => used.get(path) !== text)
  expect([...shown(typeDescriptions), ...shown(memberDescriptions)].map(([path]) => path)).toEqual([])
  const texts = new Set(used.values())
  expect(Object.entries(commonDescriptions).filter(([, text]) => !texts.has(text))).toEqual([])
})
