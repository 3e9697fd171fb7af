import { expect, test, vi } from 'vitest'
import { type Answered, type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database/database.ts'
import { databaseProxyTo } from '../support/database/databaseProxy.ts'
import { aTeamWithKey } from '../support/factories.ts'

const work = { familyId: 'sandbox-image', prompt: 'a lighthouse', parameters: { width: 64, height: 64 } }
const slow = { ...work, parameters: { ...work.parameters, runSeconds: 1 } }
/** Lower than in production, so that a busy machine has time left within the five seconds. */
const limits = { connectTimeoutMilliseconds: 500, queryTimeoutMilliseconds: 1500 }
const recovery = { timeout: 15_000, interval: 200 }

/** One request of every kind that needs the database. */
function everyRequest(key: string, id: string): [what: string, asked: Parameters<TestApp['ask']>[1]][] {
  return [
    ['GET /families', { key }],
    ['GET /families/sandbox-image', { key }],
    ['POST /generations/estimate', { key, body: work }],
    ['POST /generations', { key, body: work }],
    ['POST /generations', { key, body: work, headers: { 'idempotency-key': 'once' } }],
    [`GET /generations/${id}`, { key }],
    [`GET /generations/${id}?wait=60`, { key }],
    ['GET /generations', { key }],
    [`POST /generations/${id}/cancel`, { key }],
    ['POST /files', { key, body: { base64: 'AAAA' } }],
    ['GET /account', { key }],
    ['GET /openapi.json', { key }],
    ['GET /account', {}],
    ['GET /nothing', { key }],
    ['PUT /account', {}],
  ]
}

async function timed(ask: () => Promise<Answered>): Promise<Answered & { seconds: number }> {
  const begunAt = performance.now()
  return { ...(await ask()), seconds: (performance.now() - begunAt) / 1000 }
}

async function expectAllRefused(app: TestApp, key: string, id: string): Promise<void> {
  const answers = await Promise.all(everyRequest(key, id).map(([what, asked]) => timed(() => app.ask(what, asked))))
  expect(answers.map(({ status, body }) => [status, body.error.code, body.error.retryable])).toEqual(
    answers.map(() => [503, 'service_unavailable', true]),
  )
  expect(answers.every(({ headers }) => Number(headers['retry-after']) >= 1)).toBe(true)
  expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(5)
  expect((await app.ask('GET //readyz')).status).toBe(503)
  expect((await app.ask('GET //healthz')).status).toBe(200)
}

async function expectWell(app: TestApp, key: string, underWay: string[]): Promise<void> {
  const before = performance.now()
  await vi.waitFor(async () => expect(await app.ask('GET /account', { key })).toMatchObject({ status: 200 }), recovery)
  // Other connections of the pool may still be lost.
  const started = await vi.waitFor(async () => {
    const answered = await app.ask('POST /generations', { key, body: work })
    expect(answered.status).toBe(201)
    return answered
  }, recovery)
  expect(performance.now() - before).toBeLessThan(15_000)
  // How soon the work ends depends on the load of the machine too.
  for (const id of [started.body.generationId, ...underWay])
    await expect.poll(async () => (await app.ask(`GET /generations/${id}`, { key })).body.state).toBe('ready')
  expect((await app.ask('GET //readyz')).status).toBe(200)
  await vi.waitFor(async () => expect(await slotsTaken(app)).toEqual([]), recovery)
}

async function slotsTaken({ services }: TestApp): Promise<number[]> {
  const { rows } = await services.pool.query<{ in_progress: Record<string, number> }>('select in_progress from request_counts')
  return rows.flatMap((row) => Object.values(row.in_progress))
}

test.each(['hangs up', 'falls silent'] as const)(
  'while the database %s every request is refused in time, and afterwards all requests succeed without a restart',
  { timeout: 120_000 },
  async (how) => {
    const database = await testDatabase()
    const gate = await databaseProxyTo(database.url)
    const app = await testApp({ databaseUrl: gate.url, clock: 'database', worker: true, alive: true, ...limits })
    try {
      const { value: key } = await aTeamWithKey(app.services)
      const starts = await Promise.all(Array.from({ length: 3 }, () => app.ask('POST /generations', { key, body: slow })))
      const ids = starts.map(({ body }) => body.generationId)
      if (how === 'hangs up') {
        void gate.refuseConnections(Number.MAX_SAFE_INTEGER)
        gate.closeConnections()
      } else gate.stallConnections(true)
      await expectAllRefused(app, key, ids[0] as string)
      if (how === 'hangs up') void gate.refuseConnections(0)
      else gate.resumeConnections()
      await expectWell(app, key, ids)
    } finally {
      await app.close()
      // The server waits for connections in authentication before it drops a database.
      gate.closeConnections()
      await database.drop()
    }
  },
)
