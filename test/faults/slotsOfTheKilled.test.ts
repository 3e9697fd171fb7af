import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { opened } from '../support/rawSocket.ts'

/** A process that serves HTTP, started from the command line. Gives its port and what kills it without a word. */
async function aServer(databaseUrl: string): Promise<{ port: number; kill(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-killed-'))
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, ['src/cli/main.ts', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^ready http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
    if (port !== undefined) return { port: Number(port), kill }
  }
  throw new Error('the process did not start')
}

test('the slots of a process that was killed are free within 15 seconds', { timeout: 60_000 }, async () => {
  const app = await testApp({ alive: true, settings: { requestsInProgress: 32 } })
  onTestFinished(() => app.close())
  const { value: key } = await aTeamWithKey(app.services)
  const started = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  const server = await aServer(app.databaseUrl)
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
