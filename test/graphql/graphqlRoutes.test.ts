import { afterAll, expect, test } from 'vitest'
import { createTeam } from '../../src/domain/access/teams/teams.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { serviceToken, testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, logged, close } = await testServices()
const tool = await testEndpoint(services)
afterAll(async () => {
  await tool.app.close()
  await close()
})

const viewer = '{ viewer { kind } }'
const createOne = 'mutation { createTeam(input: { name: "Mine" }) { id } }'

async function teams(): Promise<number> {
  return (await services.pool.query('select count(*)::integer as teams from teams')).rows[0].teams
}

test('the service token grants access', async () => {
  expect(await tool.ask(viewer)).toEqual({ status: 200, data: { viewer: { kind: 'SERVICE' } }, errors: [] })
})

test.each([
  ['no header', ''],
  ['another token', 'Bearer another-token-of-more-than-32-characters'],
  ['the token cut short', `Bearer ${serviceToken.slice(0, -1)}`],
  ['another scheme', `Basic ${serviceToken}`],
  ['no value', 'Bearer '],
])('a request with %s is refused, without data or effects', async (_what, authorization) => {
  const before = await teams()
  const response = await tool.send(JSON.stringify({ query: createOne }), { authorization })
  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toMatch(/^Bearer/)
  const extensions = { code: 'unauthorized', retryable: false, docUrl: 'http://atelier.test/docs/errors#unauthorized' }
  expect(response.json()).toEqual({ errors: [{ message: expect.any(String), extensions }] })
  expect(await teams()).toBe(before)
})

test('an API key grants no access', async () => {
  const { value } = await aTeamWithKey(services)
  expect(await tool.ask(viewer, {}, { authorization: `Bearer ${value}` })).toMatchObject({
    status: 401,
    errors: [{ extensions: { code: 'unauthorized' } }],
  })
})

test('without a configured service token, no token grants access', async () => {
  const closed = await testEndpoint(services, { serviceToken: undefined })
  for (const authorization of [`Bearer ${serviceToken}`, 'Bearer undefined', 'Bearer ']) {
    expect(await closed.ask(viewer, {}, { authorization })).toMatchObject({ status: 401 })
  }
  await closed.app.close()
})

test.each(['https://evil.test', 'null', 'http://atelier.test:81', 'https://atelier.test', 'http://atelier.test.evil.test', ''])(
  'a page of the origin %j is refused even with the service token',
  async (origin) => {
    const before = await teams()
    expect(await tool.ask(createOne, {}, { origin })).toMatchObject({ status: 403, errors: [{ extensions: { code: 'access_denied' } }] })
    expect(await teams()).toBe(before)
  },
)

test('the own origin of the service is accepted, and no response has CORS headers', async () => {
  const response = await tool.send(JSON.stringify({ query: viewer }), { origin: 'http://atelier.test' })
  expect(response.statusCode).toBe(200)
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

const form = 'query=mutation%20%7B%20createTeam(input%3A%20%7Bname%3A%20%22x%22%7D)%20%7B%20id%20%7D%20%7D'
const boundary =
  '--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"mutation { createTeam(input: {name: \\"x\\"}) { id } }"}\r\n--b--'

test.each([
  ['application/x-www-form-urlencoded', form],
  ['multipart/form-data; boundary=b', boundary],
  ['text/plain', JSON.stringify({ query: createOne })],
  ['application/graphql', createOne],
  ['application/json; charset=latin1', JSON.stringify({ query: createOne })],
  ['application/json-patch+json', JSON.stringify({ query: createOne })],
  ['', JSON.stringify({ query: createOne })],
])('a body of the type %j is refused before it is read', async (type, payload) => {
  const before = await teams()
  const response = await tool.send(payload, { 'content-type': type })
  expect(response.statusCode).toBe(415)
  expect(response.json().errors[0].extensions).toMatchObject({
    code: 'unsupported_content_type',
    details: { allowed: ['application/json'] },
  })
  expect(await teams()).toBe(before)
})

test('an encoded body is refused', async () => {
  expect((await tool.send(JSON.stringify({ query: viewer }), { 'content-encoding': 'gzip' })).statusCode).toBe(415)
})

test.each([`/graphql?query=${encodeURIComponent(viewer)}`, `/graphql?query=${encodeURIComponent(createOne)}`, '/graphql'])(
  'GET %s is refused with the service token too',
  async (url) => {
    const before = await teams()
    const response = await tool.app.inject({ url, headers: { authorization: `Bearer ${serviceToken}`, accept: 'application/json' } })
    expect(response.statusCode).toBe(405)
    expect(response.headers['allow']).toBe('POST')
    expect(response.json().error).toMatchObject({ code: 'method_not_allowed', retryable: false })
    expect(await teams()).toBe(before)
  },
)

const hostile: [string, string | Buffer][] = [
  ['nothing', ''],
  ['no JSON', '{'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['null', 'null'],
  ['a list of requests', JSON.stringify([{ query: viewer }])],
  ['an empty object', '{}'],
  ['a query that is no text', '{"query": 5}'],
  ['another field', JSON.stringify({ query: viewer, persisted: 1 })],
  ['variables that are a list', JSON.stringify({ query: viewer, variables: [] })],
  ['a NUL in the variables', JSON.stringify({ query: viewer, variables: { a: 'x\0' } })],
  ['half a surrogate pair in the variables', '{"query": "{ viewer { kind } }", "variables": {"a": "\\ud800"}}'],
  ['a NUL in a literal', JSON.stringify({ query: '{ team(id: "\\u0000") { id } }' })],
  ['deep nesting', `{"query": "${viewer}", "variables": ${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`],
  ['very deep nesting', `{"query": "x", "variables": ${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
  ['a syntax error', JSON.stringify({ query: '{ viewer' })],
  ['an unknown field', JSON.stringify({ query: '{ nobody }' })],
  ['an unknown operation', JSON.stringify({ query: viewer, operationName: 'Other' })],
  ['a subscription', JSON.stringify({ query: 'subscription { a }' })],
  ['a value of the wrong type', JSON.stringify({ query: '{ team(id: {}) { id } }' })],
  ['a missing variable', JSON.stringify({ query: 'query ($id: ID!) { team(id: $id) { id } }' })],
  ['a moment that is none', JSON.stringify({ query: 'mutation { createTeam(input: { name: "x", planExpiresAt: "tomorrow" }) { id } }' })],
]

test.each(hostile)('%s is an invalid_request', async (_what, payload) => {
  const response = await tool.send(payload, { accept: 'application/graphql-response+json, application/json;q=0.5' })
  expect(response.json().errors[0].extensions).toMatchObject({
    code: 'invalid_request',
    retryable: false,
    details: { issues: expect.any(Array) },
  })
  expect(response.statusCode).toBe(400)
})

test('a body over 256 KiB is refused', async () => {
  const response = await tool.send(JSON.stringify({ query: viewer, variables: { a: 'x'.repeat(256 * 1024) } }))
  expect(response.statusCode).toBe(413)
  expect(response.json().errors[0].extensions).toMatchObject({ code: 'payload_too_large', details: { maxBytes: 262_144 } })
})

test('an invalid Host header is refused with 400', async () => {
  expect((await tool.send(JSON.stringify({ query: viewer }), { host: 'a b:c:d' })).statusCode).toBe(400)
})

test('an unexpected error has no internals in its response, and is logged with the request identifier', async () => {
  await services.pool.query('alter table teams rename to teams_away')
  try {
    const response = await tool.send(JSON.stringify({ query: createOne }))
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toMatch(/teams|relation|insert|42P01|stack/)
    expect(response.json().errors).toMatchObject([{ path: ['createTeam'], extensions: { code: 'internal_error', retryable: true } }])
    expect(logged).toContainEqual({
      level: 'error',
      message: 'internal error',
      fields: expect.objectContaining({ path: 'createTeam', requestId: expect.stringMatching(/^req_/) }),
    })
  } finally {
    await services.pool.query('alter table teams_away rename to teams')
  }
})

test('an unavailable database returns a retryable 503', async () => {
  const lost = await testServices()
  const endpoint = await testEndpoint(lost.services)
  await lost.services.pool.end()
  const response = await endpoint.send(JSON.stringify({ query: '{ team(id: "team_01kabc5m1dexamp1eexamp1e00") { id } }' }))
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('5')
  expect(response.json().errors[0].extensions).toMatchObject({ code: 'service_unavailable', retryable: true })
  await endpoint.app.close()
  await lost.close().catch(() => undefined)
})

test('every unauthenticated request is counted, requests of tools are not', async () => {
  let counted = 0
  const counting = await testEndpoint(services, {
    countAnonymous: async () => {
      counted += 1
    },
  })
  await counting.ask(viewer)
  expect(counted).toBe(0)
  await counting.ask(viewer, {}, { authorization: 'Bearer guess' })
  await counting.app.inject({ url: '/graphql', headers: { accept: 'text/html' } })
  expect(counted).toBe(2)
  await counting.app.close()
})

test('concurrent requests do not share data', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Team ${index}`)
  const made = await Promise.all(names.map((name) => createTeam(aServiceContext(services), { name })))
  const answers = await Promise.all(made.map(({ id }) => tool.ask('query ($id: ID!) { team(id: $id) { id name } }', { id })))
  expect(answers.map(({ data }) => data?.['team'])).toEqual(made.map(({ id, name }) => ({ id, name })))
})
