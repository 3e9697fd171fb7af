import { buildSchema, execute, type GraphQLFieldResolver, type GraphQLSchema, parse } from 'graphql'
import { expect, test } from 'vitest'
import type { SchemaContext } from '../../../src/schema/core/context.ts'
import { resolveRootField } from '../../../src/schema/core/resolveRootField.ts'

type Resolver = GraphQLFieldResolver<unknown, unknown>

function aSchema(resolve: Resolver): GraphQLSchema {
  const schema = buildSchema(`
    enum Size { LARGE SMALL }
    input Wanted { size: Size = LARGE, names: [String!] }
    type Thing { json: String }
    type Query { thing(id: ID!, count: Int = 3, wanted: Wanted): Thing!, perhaps(id: ID): Thing, words: String }
    type Mutation { change(id: ID!): Thing! }
  `)
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) field.resolve = resolve
  }
  return schema
}

const described: Resolver = async (_root, args, context, { fieldName, path }) => ({
  json: JSON.stringify({ args, context, fieldName, key: path.key }),
})
const context = { context: 'of the caller' } as unknown as SchemaContext

test.for([
  ['query ($id: ID!, $wanted: Wanted) { thing(id: $id, wanted: $wanted) { json } }', { id: 7, wanted: { names: 'one' } }],
  ['query ($id: ID!, $count: Int) { thing(id: $id, count: $count) { json } }', { id: 'a' }],
  ['mutation ($id: ID!) { change(id: $id) { json } }', { id: 'a' }],
] as const)('%s has the same result as an execution', async ([source, variables]) => {
  const [schema, document] = [aSchema(described), parse(source)]
  const executed = await execute({ schema, document, contextValue: context, variableValues: variables })
  const [executedField] = Object.values(executed.data ?? {}) as { json: string }[]
  expect(executedField?.json).toContain('of the caller')
  expect(await resolveRootField(schema, document)?.(variables, context)).toBe(executedField?.json)
})

test('an error of a resolver passes through unchanged', async () => {
  const error = new Error('refused')
  const run = resolveRootField(
    aSchema(() => Promise.reject(error)),
    parse('query ($id: ID!) { thing(id: $id) { json } }'),
  )
  await expect(run?.({ id: 'a' }, context)).rejects.toBe(error)
})

test('a variable of another type is refused before the resolver runs', async () => {
  const run = resolveRootField(aSchema(described), parse('query ($id: ID!, $count: Int) { thing(id: $id, count: $count) { json } }'))
  await expect(run?.({ id: 'a', count: 'many' }, context)).rejects.toThrow('$count')
  await expect(run?.({}, context)).rejects.toThrow('$id')
})

test('a field that may be null has no value, and one that may not is an error', async () => {
  const schema = aSchema(() => null)
  expect(await resolveRootField(schema, parse('{ perhaps { json } }'))?.({}, context)).toBeUndefined()
  await expect(resolveRootField(schema, parse('query ($id: ID!) { thing(id: $id) { json } }'))?.({ id: 'a' }, context)).rejects.toThrow(
    'thing',
  )
})

test('a field of a leaf type is its own leaf', async () => {
  const schema = aSchema((_root, _args, of) => (of as SchemaContext).context)
  expect(await resolveRootField(schema, parse('{ words }'))?.({}, context)).toBe('of the caller')
})

test('a field of an abstract type is not prepared', () => {
  const schema = buildSchema('union Either = One type One { json: String } type Query { either: Either }')
  expect(resolveRootField(schema, parse('{ either { __typename } }'))).toBeUndefined()
})
