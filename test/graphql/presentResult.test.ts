import { buildSchema, execute, GraphQLError, type GraphQLScalarType, parse } from 'graphql'
import { afterAll, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/refusals/refusals.ts'
import type { Services } from '../../src/domain/context.ts'
import { presentResult } from '../../src/graphql/presentResult.ts'
import { aTeam } from '../support/factories.ts'
import { type Answered, serviceToken, testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, logged, close } = await testServices()
const { app, ask, send } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

const nobody = { code: 'unauthorized', retryable: false, docUrl: 'http://atelier.test/docs/errors#unauthorized' }
const internal = { code: 'internal_error', retryable: true, docUrl: 'http://atelier.test/docs/errors#internal_error' }
const secret = 'the words of our own code'

/** A schema whose fields go wrong in every way in which a resolver can. */
const faulty = buildSchema(`
  scalar Odd
  enum Colour { RED }
  type Inner { name: String!  colour: Colour  refused: String! }
  type Query { value: String  inner: Inner  number: Float  colour: Colour!  odd(odd: Odd, count: Int! = 0): String }
`)
Object.assign(faulty.getType('Odd') as GraphQLScalarType, {
  coerceInputValue: () => {
    throw new GraphQLError('Takes nothing.')
  },
})

async function resultOf(source: string, rootValue: object, variableValues: Record<string, unknown> = {}) {
  const said: string[] = []
  const note = (_fields: object, message: string) => void said.push(message)
  const result = await execute({ schema: faulty, document: parse(source), rootValue, variableValues })
  const log = { debug: note, info: note, warn: note, error: note }
  const presented = presentResult(result, { log, docUrls: services.docUrls, requestId: 'req_1' })
  return { ...presented, text: JSON.stringify(presented.body), said }
}

const failing = (thrown: unknown) => () => {
  throw thrown
}

test.each<[string, string, object]>([
  ['a bug', '{ value }', { value: failing(new TypeError(secret)) }],
  ['a bug below another error', '{ value }', { value: failing(new Error('outer', { cause: new Error(secret) })) }],
  ['text that is thrown', '{ value }', { value: failing(secret) }],
  ['nothing that is thrown', '{ value }', { value: failing(undefined) }],
  ['an object that is thrown', '{ value }', { value: failing({ code: 'invalid_request', message: secret, details: { secret } }) }],
  ['several errors in one', '{ value }', { value: failing(new AggregateError([new Error(secret)], secret)) }],
  ['an error that is given back', '{ value }', { value: new Error(secret) }],
  ['a promise that fails', '{ value }', { value: () => Promise.reject(new Error(secret)) }],
  [
    'an error of the database',
    '{ value }',
    { value: failing(Object.assign(new Error(secret), { code: '23505', detail: secret, table: 'teams' })) },
  ],
  ['a number that is none', '{ number }', { number: secret }],
  ['a value outside its enum', '{ inner { colour } }', { inner: { colour: secret } }],
  ['nothing where something must be', '{ inner { name } }', { inner: { name: null } }],
  ['an object where text must be', '{ value }', { value: { [secret]: secret } }],
])('%s is an internal error without further information', async (_what, source, root) => {
  const { status, body, text, said } = await resultOf(source, root)
  expect(status).toBe(500)
  expect(body.errors).toMatchObject([{ message: expect.stringMatching(/^The service failed\./), extensions: internal }])
  expect(Object.keys(body.errors?.[0]?.toJSON() ?? {}).toSorted()).toEqual(['extensions', 'locations', 'message', 'path'])
  expect(text).not.toMatch(/words of our|outer|teams|23505|TypeError|stack|Colour/)
  expect(said).toEqual(['internal error'])
})

test('an error that propagates through non-null fields keeps its code and path, and other fields keep their data', async () => {
  const details = { familyId: 'none' }
  const root = { value: 'fine', inner: { name: 'x', refused: failing(new Refusal('family_not_found', details)) } }
  const { status, body } = await resultOf('{ value inner { name refused } }', root)
  expect({ status, data: body.data }).toEqual({ status: 200, data: { value: 'fine', inner: null } })
  expect(body.errors?.map((error) => error.toJSON())).toMatchObject([
    { path: ['inner', 'refused'], extensions: { code: 'family_not_found', retryable: false, details } },
  ])
  const whole = await resultOf('{ value colour }', { value: 'fine', colour: failing(new Refusal('invalid_cursor')) })
  expect({ status: whole.status, data: whole.body.data }).toEqual({ status: 200, data: null })
})

test('the status is that of the worst error, and every error is returned', async () => {
  const root = {
    value: failing(new Refusal('team_required')),
    number: failing(new Error(secret)),
    inner: failing(new Refusal('unauthorized')),
  }
  const { status, body } = await resultOf('{ value number inner { name } }', root)
  expect(status).toBe(500)
  expect(body.errors?.map(({ extensions }) => extensions['code']).toSorted()).toEqual(['internal_error', 'team_required', 'unauthorized'])
})

test.each(['file_fetch_failed', 'family_unavailable', 'rate_limited', 'too_many_concurrent', 'insufficient_scope'] as const)(
  'a field that is refused with %s is an answer: nobody repeats what went well beside it',
  async (code) => {
    const { status, headers, body } = await resultOf('{ value number }', { value: failing(new Refusal(code)), number: 1 })
    expect({ status, headers, data: body.data }).toEqual({ status: 200, headers: {}, data: { value: null, number: 1 } })
    expect(body.errors).toMatchObject([{ extensions: { code } }])
  },
)

test.each<[string, Record<string, unknown>, string, (string | number)[]]>([
  ['query ($odd: Odd) { odd(odd: $odd) }', { odd: 1 }, 'Variable "$odd" has invalid value: Takes nothing.', ['odd']],
  ['query ($count: Int!) { odd(count: $count) }', { count: 'x' }, 'Int cannot represent non-integer value: "x"', ['count']],
  ['query ($count: Int) { odd(count: $count) }', { count: null }, 'not to be null', []],
])('%s with %j is an invalid_request', async (source, variables, words, path) => {
  const { body, said } = await resultOf(source, {}, variables)
  expect(body.errors).toMatchObject([
    { message: expect.stringContaining(words), extensions: { code: 'invalid_request', details: { issues: [{ path }] } } },
  ])
  expect(said).toEqual([])
})

test('the path in a variable has the form of input paths, and the message is cut', async () => {
  const { team } = await aTeam(services)
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value } }'
  const placeOf = async (input: object) => {
    const { status, errors } = await ask(issue, { input })
    const issues = errors[0]?.extensions.details?.['issues'] as { path: unknown[]; message: string }[]
    expect({ status, length: (issues[0]?.message.length ?? 0) < 510 }).toEqual({ status: 400, length: true })
    return issues[0]?.path
  }
  expect(await placeOf({ teamId: team.id, name: 'x', scopes: ['CATALOG_READ', 'NONE'] })).toEqual(['scopes', 1])
  expect(await placeOf({ teamId: team.id, name: { x: 'y'.repeat(100_000) }, scopes: [] })).toEqual(['name'])
  expect(await placeOf({ teamId: team.id, name: 'x', scopes: [], another: 1 })).toEqual(['input'])
})

test('a bug in a resolver is masked in every part of the response, and logged with the request identifier', async () => {
  const broken = {
    ...services,
    catalog: {
      get families(): never {
        throw new TypeError(secret)
      },
    },
  } as unknown as Services
  const endpoint = await testEndpoint(broken)
  const response = await endpoint.send(JSON.stringify({ query: '{ viewer { kind } families { nodes { id } } family(id: "x") { id } }' }))
  await endpoint.app.close()
  expect(response.statusCode).toBe(500)
  expect(response.body).not.toContain(secret)
  const { data, errors } = response.json<Answered>()
  expect(data).toBeNull()
  expect(errors.map(({ path, extensions }) => ({ path, extensions }))).toEqual(
    expect.arrayContaining([
      { path: ['families'], extensions: internal },
      { path: ['family'], extensions: internal },
    ]),
  )
  expect(logged.filter(({ message }) => message === 'internal error').at(-1)?.fields).toMatchObject({
    requestId: expect.stringMatching(/^req_/),
    error: expect.stringContaining(secret),
  })
})

test('a database error in a nested field nulls only that field', async () => {
  const { team } = await aTeam(services)
  await services.pool.query('alter table credit_accounts rename to accounts_away')
  try {
    const { status, data, errors } = await ask('query ($id: ID!) { viewer { kind } team(id: $id) { id account { creditsAvailable } } }', {
      id: team.id,
    })
    expect({ status, data }).toEqual({ status: 500, data: { viewer: { kind: 'SERVICE' }, team: null } })
    expect(errors).toMatchObject([{ path: ['team', 'account', 'creditsAvailable'], extensions: internal }])
    expect(JSON.stringify(errors)).not.toMatch(/credit_accounts|relation|42P01/)
  } finally {
    await services.pool.query('alter table accounts_away rename to credit_accounts')
  }
})

test('a refusal has its code, details, retryable flag and documentation URL', async () => {
  const { team } = await aTeam(services, { credits: 3 })
  const start = 'mutation ($id: ID!, $input: GenerationInput!) { startGeneration(teamId: $id, input: $input) { replayed } }'
  const { status, errors } = await ask(start, {
    id: team.id,
    input: { familyId: 'sandbox-image', prompt: 'a boat', axes: { version: 'pro' } },
  })
  expect(status).toBe(200)
  expect(errors[0]?.extensions).toEqual({
    code: 'insufficient_credits',
    retryable: false,
    details: { credits: 8, creditsAvailable: 3, creditsHeld: 0 },
    docUrl: 'http://atelier.test/docs/errors#insufficient_credits',
  })
})

test.each([
  ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
  ['application/json', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['', 'application/json; charset=utf-8'],
  ['text/event-stream', 'application/json; charset=utf-8'],
  ['multipart/mixed, text/event-stream', 'application/json; charset=utf-8'],
  ['image/png;q=nonsense', 'application/json; charset=utf-8'],
])('a request that accepts %j gets one JSON document with the same status', async (accept, type) => {
  for (const [query, status] of [
    ['{ viewer { kind } }', 200],
    ['{ nobody }', 400],
    ['{ viewer', 400],
  ] as const) {
    const response = await send(JSON.stringify({ query }), { accept })
    expect({ status: response.statusCode, type: response.headers['content-type'] }).toEqual({ status, type })
    expect(Object.keys(response.json())).toEqual([status === 200 ? 'data' : 'errors'])
  }
})

test('unauthenticated callers get only the refusal unauthorized', async () => {
  for (const body of ['{ viewer', '{ nobody }', '{ viewer { kind } }', '{ __schema { types { name } } }']) {
    const response = await send(JSON.stringify({ query: body }), { authorization: `Bearer x${serviceToken}` })
    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual({ errors: [{ message: expect.any(String), extensions: nobody }] })
  }
})
