import {
  assertEnumType,
  assertInputObjectType,
  assertObjectType,
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  getNullableType,
  isObjectType,
  print,
} from 'graphql'
import { expect, test } from 'vitest'
import { family as familyShape } from '../../src/contract/shapes/family.ts'
import { generation as generationShape } from '../../src/contract/shapes/generation.ts'
import { printedSchema } from '../../src/schema/schema.ts'
import { enums, freeRootFields, inputTypes, rootFields, usageArguments } from './contractNames.ts'
import { objectFields } from './contractObjects.ts'

// Tools read the printed schema, so it must be a valid schema.
const printed = buildSchema(printedSchema())

function fieldsOf(type: string): Record<string, GraphQLField<unknown, unknown>> {
  return assertObjectType(printed.getType(type)).getFields()
}

function written({ type, default: usual }: GraphQLArgument | GraphQLInputField): string {
  return usual?.literal ? `${type} = ${print(usual.literal)}` : String(type)
}

function signatureOf({ args, type }: GraphQLField<unknown, unknown>): string {
  const list = args.map((each) => `${each.name}: ${written(each)}`).join(', ')
  return `${list === '' ? '' : `(${list})`}: ${type}`
}

test.each(Object.keys(rootFields) as (keyof typeof rootFields)[])('%s has the fields that tools use', (root) => {
  const fields = fieldsOf(root)
  const signatures = Object.fromEntries(Object.keys(rootFields[root]).map((name) => [name, fields[name] && signatureOf(fields[name])]))
  expect(signatures).toEqual(rootFields[root])
  expect(Object.keys(fields)).toEqual(expect.arrayContaining([...freeRootFields[root]]))
})

test.each(Object.keys(inputTypes))('%s takes exactly the fields of the contract', (name) => {
  const fields = assertInputObjectType(printed.getType(name)).getFields()
  expect(Object.fromEntries(Object.entries(fields).map(([field, definition]) => [field, written(definition)]))).toEqual(inputTypes[name])
})

test.each(Object.keys(objectFields))('%s has the fields of the contract', (name) => {
  const fields = fieldsOf(name)
  const types = Object.fromEntries(
    Object.keys(objectFields[name] ?? {}).map((field) => [
      field,
      fields[field] && (isConnection(fields[field]) ? 'a connection' : String(fields[field].type)),
    ]),
  )
  expect(types).toEqual(objectFields[name])
})

test.each(Object.keys(enums))('%s has the values of the contract', (name) => {
  const values = assertEnumType(printed.getType(name)).getValues()
  expect(values.map((value) => value.name).toSorted()).toEqual(enums[name]?.toSorted())
})

test('usage takes a span and a grouping', () => {
  const { usage } = fieldsOf('Team')
  expect(Object.fromEntries(usage?.args.map((each) => [each.name, written(each)]) ?? [])).toEqual(usageArguments)
})

test.each([
  ['Generation', Object.keys(generationShape.shape)],
  ['Family', Object.keys(familyShape.shape)],
])('%s has every field of its REST document', (name, fields) => {
  expect(Object.keys(fieldsOf(name))).toEqual(expect.arrayContaining(fields))
})

test('every growing list is a Relay connection with pages in both directions', () => {
  const connections = Object.values(printed.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()).filter(isConnection) : [],
  )
  expect(connections.length).toBeGreaterThan(8)
  for (const field of connections) {
    expect(Object.fromEntries(field.args.map((each) => [each.name, written(each)]))).toMatchObject({
      first: 'Int',
      after: 'String',
      last: 'Int',
      before: 'String',
    })
    const { edges, pageInfo } = assertObjectType(getNullableType(field.type)).getFields()
    expect(String(pageInfo?.type)).toBe('PageInfo!')
    const edge = String(edges?.type).replaceAll(/[[\]!]/g, '')
    expect(Object.fromEntries(Object.entries(fieldsOf(edge)).map(([name, { type }]) => [name, String(type)]))).toEqual({
      cursor: 'String!',
      node: expect.stringMatching(/^\w+!$/),
    })
  }
})

function isConnection({ type }: GraphQLField<unknown, unknown>): boolean {
  return /^\w+Connection!$/.test(String(type))
}
