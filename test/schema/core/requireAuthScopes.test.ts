import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { expect, test } from 'vitest'
import { requireAuthScopes } from '../../../src/schema/core/requireAuthScopes.ts'
import { schema } from '../../../src/schema/schema.ts'

const guarded = { extensions: { pothosOptions: { authScopes: { service: true } } } }

function schemaWith(field: object, type: object): GraphQLSchema {
  const thing = new GraphQLObjectType({ name: 'Thing', fields: { name: { type: GraphQLString } }, ...type })
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { thing: { type: thing, ...field } } }) })
}

test('every type and root field of our schema has authScopes', () => {
  expect(() => requireAuthScopes(schema)).not.toThrow()
})

test('a root field or type without authScopes stops the start, and the error names it', () => {
  expect(() => requireAuthScopes(schemaWith(guarded, guarded))).not.toThrow()
  expect(() => requireAuthScopes(schemaWith({}, guarded))).toThrow('Query.thing')
  expect(() => requireAuthScopes(schemaWith(guarded, {}))).toThrow('Thing')
})
