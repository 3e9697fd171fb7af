import { afterAll, expect, test } from 'vitest'
import { startHttp } from '../../src/cli/httpRole.ts'
import { makeReadiness } from '../../src/cli/readiness.ts'
import { newId } from '../../src/contract/ids.ts'
import { testServices } from '../support/services.ts'

const { services, databaseUrl, close } = await testServices()
const role = await startHttp(services, {
  config: { host: '127.0.0.1', serviceToken: undefined, database: { kind: 'external', url: databaseUrl } },
  listeners: [
    { serves: 'public', port: 0 },
    { serves: 'internal', port: 0 },
  ],
  processId: newId('proc'),
  readiness: makeReadiness(services),
})
afterAll(async () => {
  await role.drain()
  await close()
})

const [open, inner] = role.apps
const statusOf = async (side: typeof open, url: string) => (await side?.fastify.inject({ url }))?.statusCode

test.each(['/api/v1/account', '/docs'])('%s is served by the public listener alone', async (path) => {
  expect(await statusOf(open, path)).not.toBe(404)
  expect(await statusOf(inner, path)).toBe(404)
})

test.each(['/graphql', '/healthz', '/readyz', '/metrics'])('%s is served by the internal listener alone', async (path) => {
  expect(await statusOf(open, path)).toBe(404)
  expect(await statusOf(inner, path)).not.toBe(404)
})

test('what the other listener serves is nothing here, in the shape of every refusal', async () => {
  const answer = await open?.fastify.inject({
    method: 'POST',
    url: '/graphql',
    payload: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(answer?.json()).toEqual({ error: { code: 'not_found', message: expect.any(String), retryable: false } })
  expect(answer?.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-ratelimit-limit': '600' })
})
