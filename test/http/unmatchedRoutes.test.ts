import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { exchange } from '../support/http/rawSocket.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

const nothing = [
  '/',
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v2/families',
  '/api/v1/families/',
  '/api/v1/generations/',
  '/api/v1/generations//cancel',
  '/api/v1//families',
  '//api/v1/families',
  '/api//v1/families',
  '/API/v1/families',
  '/api/v1/Families',
  '/api/v1/families;all=1',
  '/api/v1%2Ffamilies',
  '/api/v1/families%3Ftask=x',
  '/api/v1/../v1/families',
  '/api/v1/./families',
  '/api/v1/families/../families',
  '/r',
  '/r/',
  '/r/a/b',
  '/healthz/',
  '/graphql/',
]

test.each(nothing)('%s is not found', async (path) => {
  const { answers } = await exchange(app.port, `GET ${path} HTTP/1.1\r\nHost: atelier.test\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  expect(answers).toMatchObject([{ status: 404, headers: { 'x-request-id': expect.stringMatching(/^req_/) } }])
  expect(answers[0]?.headers['x-ratelimit-remaining']).not.toBe(answers[0]?.headers['x-ratelimit-limit'])
  expect(JSON.parse(answers[0]?.text ?? '').error).toMatchObject({ code: 'not_found', retryable: false })
})

const otherMethods: [what: string, allow: string][] = [
  ['GET /generations/estimate', 'POST'],
  ['DELETE /generations/estimate', 'POST'],
  ['POST /families', 'GET'],
  ['HEAD /families', 'GET'],
  ['OPTIONS /families', 'GET'],
  ['PUT /generations', 'POST, GET'],
  ['PATCH /generations/gen_00000000000000000000000000', 'GET'],
  ['GET /generations/gen_00000000000000000000000000/cancel', 'POST'],
  ['POST /account', 'GET'],
  ['POST /openapi.json', 'GET'],
  ['DELETE /files', 'GET, POST'],
  ['TRACE /account', 'GET'],
  ['POST //healthz', 'GET'],
  ['POST //r/abc', 'GET, HEAD'],
]

test.each(otherMethods)('the method of %s is not allowed; allowed are %s', async (what, allow) => {
  const answer = await app.ask(what, { key })
  expect(answer.status).toBe(405)
  expect(answer.headers['allow']?.split(', ').toSorted()).toEqual(allow.split(', ').toSorted())
  expect(answer.text).toMatch(what.startsWith('HEAD') ? /^$/ : /"code":"method_not_allowed","message":"[^"]+","retryable":false/)
})

test.each(['%ZZ', '%', '%C3%28', '%FF', '%ED%A0%80'])('a broken escape %s in the path is an invalid request', async (escape) => {
  for (const path of [`/families/${escape}`, `/generations/${escape}`, `/generations/${escape}/cancel`, `/${escape}`]) {
    const answer = await app.ask(`GET ${path}`, { key })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: { issues: [{ in: 'path', code: 'bad_format' }] } } },
    })
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
  }
})

const odd = [
  'x',
  '%00',
  'a%2Fb',
  '__proto__',
  'constructor',
  'gen_',
  'gen_01h',
  'GEN_01m7w81rqxexwvk0tw7c46rgfs',
  'é',
  '%20',
  'a'.repeat(3000),
  "'%20or%201=1",
]

test.each(odd)('%s as an identifier in the path is not found', async (id) => {
  const path = encodeURI(decodeURI(id))
  expect(await app.ask(`GET /generations/${path}`, { key })).toMatchObject({
    status: 404,
    body: { error: { code: 'generation_not_found' } },
  })
  expect(await app.ask(`GET /generations/${path}?wait=60`, { key })).toMatchObject({
    status: 404,
    body: { error: { code: 'generation_not_found' } },
  })
  expect(await app.ask(`POST /generations/${path}/cancel`, { key })).toMatchObject({
    status: 404,
    body: { error: { code: 'generation_not_found' } },
  })
  expect(await app.ask(`GET /families/${path}`, { key })).toMatchObject({ status: 400, body: { error: { code: 'family_not_found' } } })
  expect(await app.ask(`GET /files/${path}`, { key })).toMatchObject({ status: 404, body: { error: { code: 'file_not_found' } } })
  expect(await app.ask(`GET //r/${path}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
})

test('a body for an unknown path is not read', async () => {
  for (const [type, body] of [
    ['application/json', '{'],
    ['text/csv', 'a,b'],
    ['application/json', 'x'.repeat(2_000_000)],
  ] as const) {
    const answer = await app.ask('POST /nothing', { key, body, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  }
})

test('requests without an endpoint count, and are refused over the limit', async () => {
  const limited = await testApp({ settings: { requestsPerMinute: 3 } })
  try {
    const { value } = await aTeamWithKey(limited.services)
    const statuses: number[] = []
    for (const path of ['/nothing', '/families/%ZZ', '/families/', '/nothing'])
      statuses.push((await limited.ask(`GET ${path}`, { key: value })).status)
    expect(statuses).toEqual([404, 400, 404, 429])
  } finally {
    await limited.close()
  }
})
