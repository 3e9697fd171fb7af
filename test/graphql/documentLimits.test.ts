import {
  buildClientSchema,
  execute,
  getIntrospectionQuery,
  type IntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { documentLimits } from '../../src/graphql/documentLimits.ts'
import { selectionsOf } from '../../src/graphql/selections.ts'
import { schema } from '../../src/schema/schema.ts'
import { aTeam } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const { app, ask, dataOf, send } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

/** What the one refusal of a document says, whatever its other words. */
async function refusedFor(query: string): Promise<string> {
  const { status, data, errors } = await ask(query)
  expect({ status, data, codes: errors.map(({ extensions }) => extensions.code) }).toEqual({
    status: 400,
    data: undefined,
    codes: ['invalid_request'],
  })
  return errors[0]?.message ?? ''
}

const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ')
const viewers = (count: number) => `{ ${times(count, (index) => `a${index}: viewer { kind }`)} }`
const teams = (times: number) => `team(id: "x") { ${'members(first: 1) { nodes { team { '.repeat(times)} id ${'} } } '.repeat(times)} }`

const atTheLimit: [string, string][] = [
  ['root fields', viewers(documentLimits.rootFields)],
  ['aliases', `{ viewer { ${times(documentLimits.aliases, (index) => `a${index}: kind`)} } }`],
  ['directives', `{ viewer { ${times(documentLimits.directives, () => 'kind @include(if: true)')} } }`],
  ['fields', `{ viewer { ${times(documentLimits.selections - 1, () => 'kind')} } }`],
  ['levels', `{ ${teams(3)} }`],
]

test.each(atTheLimit)('a document with as many %s as are allowed runs', async (_what, query) => {
  expect(await ask(query)).toMatchObject({ status: 200, errors: [] })
})

const overTheLimit: [string, RegExp, string][] = [
  ['root fields', /20 root fields/, viewers(documentLimits.rootFields + 1)],
  ['root fields in a fragment', /20 root fields/, `{ ...F } fragment F on Query ${viewers(documentLimits.rootFields + 1)}`],
  ['the same root field again and again', /20 root fields/, `{ ${times(21, () => 'viewer { kind }')} }`],
  ['aliases', /30 aliases/, `{ viewer { ${times(documentLimits.aliases + 1, (index) => `a${index}: kind`)} } }`],
  ['directives', /30 directives/, `{ viewer { ${times(documentLimits.directives + 1, () => 'kind @include(if: true)')} } }`],
  ['directives that nobody knows', /30 directives/, `{ viewer { kind ${times(100, (index) => `@a${index}`)} } }`],
  ['one field repeated', /500 fields/, `{ viewer { ${times(documentLimits.selections, () => 'kind')} } }`],
  ['fields in a fragment that nothing uses', /500 fields/, `{ viewer { kind } } fragment F on Viewer { ${times(500, () => 'kind')} }`],
  ['levels', /12 levels/, `{ ${teams(4)} }`],
  [
    'levels through fragments',
    /12 levels/,
    `{ team(id: "x") { ...A } } ${times(12, (i) => `fragment ${'A'.repeat(i + 1)} on Team { members(first: 1) { nodes { team { ...${'A'.repeat(i + 2)} } } } }`)} fragment ${'A'.repeat(13)} on Team { id }`,
  ],
  [
    'fields that a fragment doubles at each of ten steps',
    /500 fields/,
    `{ viewer { ...A0 } } ${times(10, (i) => `fragment A${i} on Viewer { ...A${i + 1} ...A${i + 1} }`)} fragment A10 on Viewer { kind }`,
  ],
  ['tokens', /2000 tokens/, `{ viewer { ${times(2000, () => 'kind')} } }`],
  ['brackets', /100 levels/, '{a'.repeat(100_000)],
  ['lists within lists', /100 levels/, `{ viewer(a: ${'['.repeat(1990)}`],
  ['comments', /comments/i, `${'#\n'.repeat(10_000)} { viewer { kind } }`],
  [
    'levels of introspection',
    /introspection/i,
    `{ __schema { types { fields { type { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} } } } } }`,
  ],
  [
    'introspection that turns in circles',
    /introspection depth/,
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  ],
  [
    'levels of a literal',
    /32 levels/,
    `mutation { startGeneration(input: { familyId: "x", parameters: { a: ${'['.repeat(40)}${']'.repeat(40)} } }) { replayed } }`,
  ],
]

test.each(overTheLimit)('too many %s are refused with the exceeded limit', async (_what, words, query) => {
  expect(await refusedFor(query)).toMatch(words)
})

test('nested pages count with their maximum size, not their actual size', async () => {
  const { team } = await aTeam(services)
  const nested = (first: string) =>
    `query ($id: ID!) { team(id: $id) { members(${first}) { nodes { user { memberships(${first}) { nodes { team { apiKeys(${first}) { nodes { id name } } } } } } } } } }`
  expect(await ask(nested('first: 5'), { id: team.id })).toMatchObject({ status: 200, errors: [] })
  const wide = await ask(nested('first: 50'), { id: team.id })
  expect(wide).toMatchObject({ status: 400, errors: [{ extensions: { code: 'invalid_request' } }] })
  expect(wide.errors[0]?.extensions.details).toEqual({
    issues: [expect.objectContaining({ in: 'body', path: ['query'], code: 'too_big' })],
  })
  const inVariable = nested('first: $first').replace('$id: ID!', '$id: ID!, $first: Int')
  expect(await ask(inVariable, { id: team.id, first: 1 })).toMatchObject({ status: 400 })
})

test.each([
  [
    'fragments that turn in circles',
    /Cannot spread fragment "A" within itself/,
    '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
  ],
  ['@defer', /Unknown directive "@defer"/, '{ viewer { ... @defer { kind } } }'],
  ['@stream', /Unknown directive "@stream"/, '{ families @stream { id } }'],
  ['a subscription', /Subscriptions are not supported/, 'subscription { generationChanges(id: "x") { state } }'],
  ['types of their own', /ViewerTwo|executable/i, 'type ViewerTwo { kind: String } query { viewer { kind } }'],
  ['several operations and no name', /what operation/, 'query A { viewer { kind } } query B { viewer { kind } }'],
])('%s are refused with a message', async (_what, words, query) => {
  const { status, errors } = await ask(query)
  expect(status).toBe(400)
  expect(errors.map(({ message }) => message).join('\n')).toMatch(words)
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(errors.map(() => 'invalid_request'))
})

const viewer = '{ viewer { kind } }'

test.each([
  ['a batch', [{ query: viewer }, { query: viewer }], /One request at a time/],
  ['a persisted document', { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }, /Send the document/],
  ['a document to persist', { query: viewer, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }, /Send the document/],
  ['a name that is no text', { query: viewer, operationName: {} }, /name of an operation/],
  ['extensions that are no object', { query: viewer, extensions: [1] }, /JSON object/],
])('%s is refused with a message', async (_what, body, words) => {
  const response = await send(JSON.stringify(body))
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ errors: [{ message: expect.stringMatching(words), extensions: { code: 'invalid_request' } }] })
})

test('the introspection of tools is accepted and returns the whole schema', async () => {
  const everything = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  })
  const introspected = buildClientSchema((await dataOf(everything)) as unknown as IntrospectionQuery)
  expect(Object.keys(introspected.getTypeMap()).toSorted()).toEqual(Object.keys(schema.getTypeMap()).toSorted())
})

const whole = 'types { name description fields { name description args { name description } type { name description } } }'
const wide = 'fields { name description type { name description ofType { name description fields { name description } } } }'
const longName = 'a'.repeat(5000)

test.each([
  ['under twenty names', `{ ${times(20, (i) => `s${i}: __schema { ${whole} }`)} }`],
  ['through a fragment', `{ ${times(20, (i) => `s${i}: __schema { ...F }`)} } fragment F on __Schema { ${whole} }`],
  ['under a long name', `{ __schema { types { ${longName}: name fields { ${longName}: name } } } }`],
])('repeated introspection of the whole schema is refused: %s', async (_what, query) => {
  expect(await refusedFor(query)).toMatch(/may cost at most 100,000/)
})

test('a long alias adds to the cost of pages', async () => {
  const query = `query ($id: ID!) { team(id: $id) { members { nodes { user { memberships { nodes { ${longName}: role } } } } } } }`
  expect(await refusedFor(query)).toMatch(/may cost at most 100,000/)
})

test.each([
  ['everything', `{ __schema { ${whole} } }`],
  ['types within the types of fields', `{ __schema { types { ${wide} } } }`],
  ['the same types under many names', `{ __schema { types { ${times(5, (i) => `f${i}: ${wide}`)} } } }`],
  ['one type', `{ __type(name: "Generation") { ${wide} } }`],
  ['a type that a variable names', `query ($name: String!) { ${times(9, (i) => `t${i}: __type(name: $name) { ${wide} }`)} }`],
  ['long words', `{ __schema { types { ${times(14, (i) => `d${i}: description f${i}: fields { description }`)} } } }`],
  ['names as long as words', `{ __schema { types { ${'a'.repeat(100)}: name } directives { ${'b'.repeat(100)}: name } } }`],
  [
    'input, values and arguments',
    '{ __schema { types { inputFields { name defaultValue } enumValues { name } } directives { locations args { name } } } }',
  ],
  ['nobody', '{ __type(name: "Nobody") { fields { name } } }'],
])('the cost of introspection equals the cost of its response: %s', async (_what, query) => {
  const document = parse(query)
  const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)
  let cost = 0
  for (const selected of selectionsOf(schema, document, operation as OperationDefinitionNode)) cost += selected.cost
  const answer = await execute({ schema, document, variableValues: { name: 'Generation' } })
  expect(answer.errors).toBeUndefined()
  expect(JSON.stringify(answer.data).length).toBeLessThan(20 + 10 * cost)
})

test('nested introspection with a small response is accepted', async () => {
  const query = '{ __type(name: "Team") { fields { name type { name ofType { name fields { name } } } } } }'
  expect(await ask(query)).toMatchObject({ status: 200, errors: [] })
})

test('a delivery log in a list of subscriptions is accepted without page sizes', async () => {
  const { team } = await aTeam(services)
  const log = `query ($id: ID!) { team(id: $id) { webhookSubscriptions { edges { node { id address deliveries { edges { cursor node {
    id event time eventNumber state attempts responseCode refusalText responseSnippet nextAttemptAt payload } } pageInfo { hasNextPage endCursor } } } } } } }`
  expect(await ask(log, { id: team.id })).toMatchObject({ status: 200, errors: [] })
})

test('the most expensive accepted documents are checked within seconds of processor time', async () => {
  const fragments = times(100, (i) => `fragment A${i} on Query { viewer { ...B${i} } } fragment B${i} on Viewer { kind }`)
  const worst = [
    `{ ${times(19, (i) => `...A${i}`)} } ${fragments}`.slice(0, 10_000),
    `{ viewer { kind } } fragment F on Query { ${times(240, () => 'viewer { kind }')} }`,
    `{ viewer { kind } } ${times(160, (i) => `fragment A${i} on Query { ...A${i + 1} viewer { kind } }`)}`,
  ]
  for (const query of worst) {
    const before = process.cpuUsage()
    await ask(query)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
  }
})
