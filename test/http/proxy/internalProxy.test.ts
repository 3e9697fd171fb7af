import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeRequestIds } from '../../../src/cli/boot/requestIds.ts'
import { newId } from '../../../src/contract/ids.ts'
import { serviceToken } from '../../support/http/graphql.ts'
import { exchange } from '../../support/http/rawSocket.ts'
import { anInternalStub, aSide } from '../../support/processes/splitProcesses.ts'
import { testServices } from '../../support/services.ts'

const { services, logged, close } = await testServices()
afterAll(close)

/** A public and an internal process, like a split deployment. */
async function bothSides() {
  const internal = await aSide(services, { serves: 'internal', serviceToken, trustedProxies: '127.0.0.1' })
  const open = await aSide(services, { serves: 'public', serviceToken, internalUrl: internal.origin })
  return { internal, open }
}

const viewer = (token?: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
  body: JSON.stringify({ query: '{ viewer { __typename } }' }),
})

test('browsers reach GraphQL of the internal process through the public one, with unchanged responses', async () => {
  const { internal, open } = await bothSides()
  const [direct, passedOn] = await Promise.all([internal, open].map(({ origin }) => fetch(`${origin}/graphql`, viewer())))
  expect(passedOn?.status).toBe(401)
  expect(await passedOn?.json()).toEqual(await direct?.json())
  expect(passedOn?.headers.get('cache-control')).toBe('no-store')
  const malformed = await fetch(`${open.origin}/graphql`, { ...viewer(), body: '{' })
  expect([malformed.status, malformed.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8'])
  expect((await fetch(`${open.origin}/graphql/unknown`)).status).toBe(404)
})

test('the service token works on both listeners, and another token on neither', async () => {
  for (const { origin } of Object.values(await bothSides())) {
    const known = await fetch(`${origin}/graphql`, viewer(serviceToken))
    expect([known.status, await known.json()]).toEqual([200, { data: { viewer: { __typename: 'Viewer' } } }])
    const refused = await fetch(`${origin}/graphql`, viewer(`${serviceToken}x`))
    expect([refused.status, await refused.json()]).toMatchObject([401, { errors: [{ extensions: { code: 'unauthorized' } }] }])
  }
})

test('a page of another origin is refused on both listeners', async () => {
  const { open } = await bothSides()
  const foreign = await fetch(`${open.origin}/graphql`, { ...viewer(), headers: { ...viewer().headers, origin: 'https://evil.test' } })
  expect(await foreign.json()).toMatchObject({ errors: [{ extensions: { code: 'access_denied' } }] })
  const own = await fetch(`${open.origin}/graphql`, { ...viewer(), headers: { ...viewer().headers, origin: services.settings.publicUrl } })
  expect(await own.json()).toMatchObject({ errors: [{ extensions: { code: 'unauthorized' } }] })
})

test('a request has the same identifier in both processes, and never one from the client', async () => {
  const { open } = await bothSides()
  const id = (
    await fetch(`${open.origin}/graphql`, { ...viewer(), headers: { ...viewer().headers, 'x-request-id': 'req_of_mine' } })
  ).headers.get('x-request-id')
  expect(id).toMatch(/^req_[0-9a-z]{26}$/)
  expect(logged.filter(({ message, fields }) => message === 'request' && 'requestId' in fields && fields.requestId === id)).toHaveLength(2)
})

test('clients behind the public listener count separately, whatever address they claim', async () => {
  const { open } = await bothSides()
  const left = async (forwarded: string) => {
    const answer = await fetch(`${open.origin}/graphql`, { ...viewer(), headers: { ...viewer().headers, 'x-forwarded-for': forwarded } })
    return Number(answer.headers.get('x-ratelimit-remaining'))
  }
  const first = await left('192.0.2.1')
  expect(await left('192.0.2.2')).toBe(first - 1)
  const proxied = await aSide(services, { serves: 'public', internalUrl: (await bothSides()).internal.origin, trustedProxies: '127.0.0.1' })
  const behind = async (forwarded: string) =>
    Number(
      (await fetch(`${proxied.origin}/graphql`, { ...viewer(), headers: { 'x-forwarded-for': forwarded } })).headers.get(
        'x-ratelimit-remaining',
      ),
    )
  expect([await behind('192.0.2.3'), await behind('192.0.2.4')]).toEqual([599, 599])
})

const strange = [
  '/metrics',
  '/readyz',
  '/graphql/',
  '/Graphql',
  '/GRAPHQL',
  '//graphql',
  '/graphql//x',
  '/graphqlx',
  '/%67raphql',
  '/graphql%2f',
  '/graphql%00',
  '/integrations/',
  '/Integrations/keys',
  '/integrations//keys',
  '/integrations/../metrics',
  '/integrations/..%2fmetrics',
  '/integrations/..%5cmetrics',
  '/integrations/%2e%2e/metrics',
  '/integrations/%2E%2e%2Fmetrics',
  '/integrations/.%2e/readyz',
  '/integrations/%252e%252e/metrics',
  '/integrations/x/../../metrics',
  '/integrations/x\\..\\..\\metrics',
  '/integrations\\..\\metrics',
  '/integrations/./keys',
  '/integrations/..',
  '/integrations/..?a=/metrics',
  '/integrations#/../metrics',
  '/integrations/<b>',
  '/auth/../metrics',
  '/auth%2f..%2fmetrics',
  '/auth/',
  '/authx',
  'http://other.test/metrics',
  'http://other.test/auth/../metrics',
]

test('no notation of a path reaches anything but the three proxied roots, and the public listener refuses it', async () => {
  const standIn = await anInternalStub((response) => response.end('reached'))
  const open = await aSide(services, { serves: 'public', internalUrl: standIn.origin })
  const ask = async (path: string) => {
    const host = path.startsWith('http') ? 'other.test' : 'media.test'
    const { answers } = await exchange(open.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    return { path, status: answers[0]?.status, code: JSON.parse(answers[0]?.text ?? '{}').error?.code }
  }
  expect(await Promise.all(strange.map(ask))).toEqual(strange.map((path) => ({ path, status: 404, code: 'not_found' })))
  const { answers } = await exchange(open.port, 'GET /integrations/%zz HTTP/1.1\r\nHost: media.test\r\n\r\n')
  expect(answers).toMatchObject([{ status: 400 }])
  expect(standIn.asked).toEqual([])
})

test.each([
  '/graphql',
  '/auth/session?a=b%2Fc&a=%00',
  '/integrations',
  '/integrations/team_1/keys?search=..%2f',
  'http://media.test/auth/x?y',
])('%s is proxied unchanged', async (path) => {
  const standIn = await anInternalStub((response) => response.end('reached'))
  const open = await aSide(services, { serves: 'public', internalUrl: standIn.origin })
  const { answers } = await exchange(open.port, `GET ${path} HTTP/1.1\r\nHost: media.test\r\n\r\n`)
  expect(answers).toMatchObject([{ status: 200 }])
  expect(standIn.asked).toMatchObject([{ method: 'GET', url: path.replace('http://media.test', '') }])
})

test('a proxied request that comes back to a public listener is refused at once', async () => {
  const standIn = await anInternalStub((response) => response.end())
  const first = await aSide(services, { serves: 'public', internalUrl: standIn.origin })
  const second = await aSide(services, { serves: 'public', internalUrl: first.origin })
  const other = await testServices()
  onTestFinished(other.close)
  const stranger = await aSide(other.services, { serves: 'public', internalUrl: first.origin })
  for (const side of [second, stranger]) {
    const refused = await fetch(`${side.origin}/graphql`, viewer())
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } })
  }
  expect(standIn.asked).toEqual([])
})

test.each([
  ['a client forged', () => 'forged'],
  ['the service itself sealed', () => makeRequestIds(services.ring).sealId(newId('req'))],
])('a proxy header that %s is refused, counted and logged once', async (_whose, header) => {
  const standIn = await anInternalStub((response) => response.end())
  const { port } = await aSide(services, { serves: 'public', internalUrl: standIn.origin, trustedProxies: '127.0.0.1' })
  const before = logged.length
  const left: (string | undefined)[] = []
  for (let n = 0; n < 3; n += 1) {
    const headers = `Host: media.test\r\nX-Forwarded-For: 198.51.100.${header().length}\r\nX-Atelier-Passed-On: ${header()}`
    const { answers } = await exchange(port, `GET /graphql HTTP/1.1\r\n${headers}\r\n\r\n`)
    expect(answers).toMatchObject([{ status: 503 }])
    left.push(answers[0]?.headers['x-ratelimit-remaining'])
  }
  expect(left).toEqual(['599', '598', '597'])
  const logLines = logged.slice(before).filter(({ message }) => /proxied request|invalid proxy header/.test(message))
  expect(logLines).toHaveLength(1)
  expect(standIn.asked).toEqual([])
})
