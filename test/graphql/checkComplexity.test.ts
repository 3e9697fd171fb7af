import { getIntrospectionQuery, parse } from 'graphql'
import { expect, test } from 'vitest'
import { checkComplexity } from '../../src/graphql/checkComplexity.ts'
import { documentLimits } from '../../src/graphql/documentLimits.ts'
import { schema } from '../../src/schema/schema.ts'

test('the introspection of GraphiQL costs less than two thirds of the limit', () => {
  const everything = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, schemaDescription: true, oneOf: true })
  const before = documentLimits.cost
  const lowered = documentLimits as { cost: number }
  lowered.cost = (before * 2) / 3
  try {
    expect(checkComplexity(schema, parse(everything), 'person')).toBeUndefined()
  } finally {
    lowered.cost = before
  }
})

test('a page of the admin UI costs less than half of the limit', () => {
  const page = parse(`query ($id: ID!, $after: String) { team(id: $id) { name blocked account { creditsAvailable creditsHeld }
    apiKeys(first: 50) { nodes { id name prefix scopes createdAt lastUsedAt revokedAt dailyLimitCredits singleLimitCredits spentTodayCredits heldCredits issuedBy { name email } } pageInfo { hasNextPage endCursor } }
    members(first: 50) { nodes { role user { id name email } } }
    generations(first: 50, after: $after) { nodes { generationId state familyId prompt creditsCharged createdAt result { url mimeType width height } error { code reason message } } pageInfo { hasNextPage endCursor } }
    usage(from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z", by: DAY) { day creditsCharged generations } } }`)
  const before = { ...documentLimits }
  const lowered = documentLimits as { cost: number; selections: number }
  Object.assign(lowered, { cost: before.cost / 2, selections: before.selections / 2 })
  try {
    expect(checkComplexity(schema, page, 'tool')).toBeUndefined()
  } finally {
    Object.assign(lowered, before)
  }
})

test('the pages that an operation reads besides a wait count, since it is admitted beside other heavy ones', () => {
  const beside = (fields: string) => checkComplexity(schema, parse(`{ generation(id: "x", waitSeconds: 0) { state } ${fields} }`), 'person')
  expect(beside('team(id: "x") { members(first: 1) { nodes { role } } }')).toBeUndefined()
  expect(
    beside('viewer { user { memberships(first: 19) { nodes { team { webhookDeliveries(first: 50) { nodes { id } } } } } } }')?.code,
  ).toBe('invalid_request')
})

test.each([
  '{ nobody { ...Missing } } fragment F on Nothing { a }',
  '{ ... on Team { id } ... on Nothing { id } ... { viewer { kind } } }',
  'fragment F on Query { ...F }',
  'subscription { a { b } }',
  'type A { b: Int }',
])('an invalid document has a complexity: %s', (source) => {
  expect(checkComplexity(schema, parse(source), 'person')).toBeUndefined()
})
