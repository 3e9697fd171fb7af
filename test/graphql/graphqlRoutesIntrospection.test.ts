import { afterAll, expect, test } from 'vitest'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const tool = await testEndpoint(services)
const embedded = await testEndpoint(services, { allowLocalIntrospection: true })
afterAll(async () => {
  await tool.app.close()
  await embedded.app.close()
  await close()
})

const viewer = '{ viewer { kind } }'
const introspection = '{ __schema { queryType { name } } __typename }'
const createOne = 'mutation { createTeam(input: { name: "Mine" }) { id } }'

async function teams(): Promise<number> {
  return (await services.pool.query('select count(*)::integer as teams from teams')).rows[0].teams
}

test('introspection requires the service token, except on an embedded database; GraphiQL asks for it', async () => {
  const page = { url: '/graphql', headers: { accept: 'text/html' } }
  const nobody = { authorization: '' }
  expect(await tool.ask(introspection)).toMatchObject({ status: 200, data: { __schema: { queryType: { name: 'Query' } } } })
  expect(await tool.ask(introspection, {}, nobody)).toMatchObject({ status: 401, data: undefined })
  expect((await tool.app.inject(page)).body).toContain('GraphiQL')
  expect((await tool.app.inject('/graphql')).statusCode).toBe(401)
  expect(await embedded.ask(introspection, {}, nobody)).toMatchObject({ status: 200, data: { __typename: 'Query' } })
  expect((await embedded.app.inject(page)).body).toContain('GraphiQL')
})

test.each([
  ['another machine', '192.0.2.7', {}],
  ['another machine over IPv6', '2001:db8::7', {}],
  ['a proxy on this machine', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
  ['a proxy that tells of itself alone', '127.0.0.1', { via: '1.1 proxy' }],
])('from %s introspection requires the token also on an embedded database', async (_who, remoteAddress, headers) => {
  const asked = { remoteAddress, headers: { ...headers, 'content-type': 'application/json' } }
  const payload = JSON.stringify({ query: introspection })
  const document = await embedded.app.inject({ ...asked, method: 'POST', url: '/graphql', payload })
  expect(document.statusCode).toBe(401)
})

test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('%s is this machine', async (remoteAddress) => {
  const payload = JSON.stringify({ query: introspection })
  const headers = { 'content-type': 'application/json' }
  expect((await embedded.app.inject({ method: 'POST', url: '/graphql', remoteAddress, headers, payload })).statusCode).toBe(200)
})

test.each([
  viewer,
  createOne,
  '{ __schema { queryType { name } } viewer { kind } }',
  'query A { ...F } fragment F on Query { viewer { kind } }',
  '{ ... @include(if: true) { v: viewer { kind } } }',
])('on an embedded database unauthenticated callers get only the schema: %s', async (query) => {
  const before = await teams()
  // The same document by a tool first: a remembered verdict must not serve a stranger.
  await embedded.ask(query)
  const after = await teams()
  expect(await embedded.ask(query, {}, { authorization: 'Bearer guess' })).toMatchObject({
    status: 401,
    data: undefined,
    errors: [{ extensions: { code: 'unauthorized' } }],
  })
  expect(await teams()).toBe(after)
  expect(after - before).toBeLessThanOrEqual(1)
})
