import { afterAll, expect, test } from 'vitest'
import { type HttpOptions, startHttp } from '../../src/cli/boot/httpRole.ts'
import { makeReadiness } from '../../src/cli/boot/readiness.ts'
import { newId } from '../../src/contract/ids.ts'
import type { App } from '../../src/http/app.ts'
import { testServices } from '../support/services.ts'

const { services, databaseUrl, close } = await testServices()
afterAll(close)

async function listening(parts: ('everything' | 'public' | 'internal')[], host = '127.0.0.1'): Promise<App[]> {
  const config: HttpOptions['config'] = {
    serviceToken: undefined,
    trustedProxies: [],
    database: { kind: 'external', url: databaseUrl },
  }
  const listeners = parts.map((serves) => ({ serves, host, port: 0 }))
  const role = await startHttp(services, { config, listeners, processId: newId('proc'), readiness: makeReadiness(services) })
  closers.push(role.drain)
  return role.apps
}
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drain of closers) await drain()
})

const [open, inner] = await listening(['public', 'internal'])
const statusOf = async (side: App | undefined, url: string) => (await side?.fastify.inject({ url }))?.statusCode

test.each(['/api/v1/account', '/docs', '/healthz', '/r/x'])('%s is served only by the public listener', async (path) => {
  expect(open?.fastify.hasRoute({ method: 'GET', url: path.replace('/x', '/:token') })).toBe(true)
  expect(inner?.fastify.hasRoute({ method: 'GET', url: path.replace('/x', '/:token') })).toBe(false)
  expect(await statusOf(inner, path)).toBe(404)
})

test('upload addresses are served only by the public listener', () => {
  const serves = (side: App | undefined) => side?.fastify.hasRoute({ method: 'PUT', url: '/u/:token' })
  expect([serves(open), serves(inner)]).toEqual([true, false])
})

test.each(['/graphql', '/readyz', '/metrics'])('%s is served only by the internal listener', async (path) => {
  expect(await statusOf(open, path)).toBe(404)
  expect(await statusOf(inner, path)).not.toBe(404)
})

test('by default one server listens on localhost, with all limits', async () => {
  const [local] = await listening(['everything'], 'localhost')
  expect(local?.fastify.addresses()).toMatchObject([{ address: '127.0.0.1' }])
})

test('an internal listener without a public one serves /healthz', async () => {
  const [alone] = await listening(['internal'])
  expect(await statusOf(alone, '/healthz')).toBe(200)
  expect(await statusOf(alone, '/api/v1/account')).toBe(404)
})

test('paths of the other listener are not found, as a normal refusal', async () => {
  const answer = await open?.fastify.inject({
    method: 'POST',
    url: '/graphql',
    payload: '{}',
    headers: { 'content-type': 'application/json' },
  })
  const docUrl = 'http://atelier.test/docs/errors#not_found'
  expect(answer?.json()).toEqual({ error: { code: 'not_found', message: expect.any(String), retryable: false, docUrl } })
  expect(answer?.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-ratelimit-limit': '600' })
})
