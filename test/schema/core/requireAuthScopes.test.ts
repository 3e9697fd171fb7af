import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { expect, test } from 'vitest'
import { requireAuthScopes } from '../../../src/schema/core/requireAuthScopes.ts'
import { schema } from '../../../src/schema/schema.ts'

const guarded = { extensions: { pothosOptions: { authScopes: { service: true } } } }

function schemaWith(field: object, type: object): GraphQLSchema {
  const thing = new GraphQLObjectType({ name: 'Thing', fields: { name: { type: GraphQLString } }, ...type })
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { thing: { type: thing, ...field } } }) })
}

test('our schema says of everything who may have it', () => {
  expect(() => requireAuthScopes(schema)).not.toThrow()
})

test('a root field or a type without scopes keeps the process from starting, and is named', () => {
  expect(() => requireAuthScopes(schemaWith(guarded, guarded))).not.toThrow()
  expect(() => requireAuthScopes(schemaWith({}, guarded))).toThrow('Query.thing')
  expect(() => requireAuthScopes(schemaWith(guarded, {}))).toThrow('Thing')
})
