import { expect, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { exchange, opened } from '../support/http/rawSocket.ts'

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

async function anApp(trustedProxies = ''): Promise<TestApp> {
  const app = await testApp({ anonymousInProgressMax: 3, trustedProxies, undescribed: true })
  onTestFinished(app.close)
  return app
}

const statusOf = async ({ port }: TestApp, path: string, headers = '') => (await exchange(port, get(path, headers))).answers[0]?.status

/** Requests more than the system buffers for a client that does not read; stops once the first response is blocked. */
async function slowReader({ fastify, port }: TestApp, headers = '') {
  let begun = 0
  fastify.server.on('request', () => (begun += 1))
  const socket = await opened(port)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(get('/docs/viewer.js', headers).repeat(12))
  await vi.waitFor(() => expect(begun).toBeGreaterThan(0))
  return socket
}

test('slow readers of one address use all of its slots, and none of the slots of keys', async () => {
  const app = await anApp()
  const { value: key } = await aTeamWithKey(app.services)
  const readers = [await slowReader(app), await slowReader(app), await slowReader(app)]
  for (const path of ['/docs', '/r/x', '/integrations', '/integrations/assets/none.js', '/no/such/path']) {
    await vi.waitFor(async () => expect([path, await statusOf(app, path)]).toEqual([path, 429]))
  }
  const refused = await app.ask('GET //docs')
  expect(refused).toMatchObject({
    headers: { 'retry-after': '1' },
    body: { error: { code: 'too_many_concurrent', details: { limit: 3, retryAfterSeconds: 1 } } },
  })
  expect(await statusOf(app, '/api/v1/account', `Authorization: Bearer ${key}\r\n`)).toBe(200)
  expect(await statusOf(app, '/healthz')).toBe(200)
  readers[0]?.destroy()
  await vi.waitFor(async () => expect(await statusOf(app, '/docs')).toBe(200))
})

test('behind a trusted proxy each client has its own slots', async () => {
  const app = await anApp('127.0.0.1')
  const from = (address: string) => `X-Forwarded-For: ${address}\r\n`
  for (let n = 0; n < 3; n += 1) await slowReader(app, from('2001:db8:1:2::1'))
  await vi.waitFor(async () => expect(await statusOf(app, '/docs', from('2001:db8:1:2:ffff::9'))).toBe(429))
  expect(await statusOf(app, '/docs', from('2001:db8:1:3::1'))).toBe(200)
})

test('finished responses release their slots', async () => {
  const app = await anApp()
  for (let n = 0; n < 8; n += 1) expect(await statusOf(app, '/docs')).toBe(200)
  expect((await exchange(app.port, get('/docs').repeat(8), { answersWanted: 8 })).answers.map(({ status }) => status)).toEqual(
    Array(8).fill(200),
  )
})
