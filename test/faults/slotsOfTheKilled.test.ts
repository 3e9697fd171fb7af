import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { opened } from '../support/http/rawSocket.ts'
import { aCommand } from '../support/processes/command.ts'

test('the slots of a killed process are free within 15 seconds', { timeout: 60_000 }, async () => {
  const app = await testApp({ alive: true, settings: { requestsInProgress: 32 } })
  onTestFinished(() => app.close())
  const { value: key } = await aTeamWithKey(app.services)
  const started = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const server = await aCommand('serve', { DATABASE_URL: app.databaseUrl })
  const sockets = await Promise.all(Array.from({ length: 32 }, () => opened(server.port)))
  for (const socket of sockets) {
    socket.write(`GET /api/v1/generations/${started.body.generationId}?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  }
  const taken = async () => {
    const { rows } = await app.services.pool.query<{ slots: number }>(
      'select coalesce(sum(value::integer), 0)::integer as slots from request_counts, jsonb_each_text(in_progress)',
    )
    return rows[0]?.slots
  }
  await vi.waitFor(async () => expect(await taken()).toBe(32), { timeout: 10_000, interval: 20 })
  expect((await app.ask('GET /account', { key })).body.error).toMatchObject({ code: 'too_many_concurrent' })
  await server.kill()
  const killedAt = performance.now()
  await vi.waitFor(async () => expect((await app.ask('GET /account', { key })).status).toBe(200), { timeout: 15_000, interval: 100 })
  expect(performance.now() - killedAt).toBeLessThan(15_000)
})
