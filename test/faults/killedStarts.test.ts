import { expect, onTestFinished, test, vi } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../support/factories.ts'
import { aCommand } from '../support/processes/command.ts'
import { type TestServices, testServices } from '../support/services.ts'

const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

/** A serving process, a team, and its starts there, each with its own idempotency key. */
async function aServer() {
  const own = await testServices()
  onTestFinished(own.close)
  const team = await aTeamWithKey(own.services)
  const server = await aCommand('serve', { DATABASE_URL: own.databaseUrl, CONCURRENT_REQUESTS_MAX: '1000' })
  const headers = { authorization: `Bearer ${team.value}`, 'content-type': 'application/json' }
  const startThere = async (idempotencyKey: string): Promise<string | undefined> => {
    const asked = { method: 'POST', headers: { ...headers, 'idempotency-key': idempotencyKey }, body: JSON.stringify(request) }
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/generations`, asked).catch(() => undefined)
    if (answer?.status !== 201) return undefined
    const { generationId } = (await answer.json()) as { generationId: string }
    return generationId
  }
  return { own, team, server, startThere }
}

/** Repeats a start without an answer, with the same key, like a client. */
async function repeat({ context, spender }: TeamWithKey, idempotencyKey: string): Promise<string> {
  return vi.waitFor(async () => (await startGeneration(context, spender, { request, idempotencyKey })).generation.generationId, {
    timeout: 15_000,
    interval: 20,
  })
}

async function expectEachOnce({ services }: TestServices, { team }: TeamWithKey, ids: string[]): Promise<void> {
  const { rows } = await services.pool.query<{ id: string; jobs: number }>(
    `select g.id, (select count(*)::integer from graphile_worker.jobs j where j.key = 'generation:' || g.id)
         + (select count(*)::integer from waiting_starts w where w.generation_id = g.id and w.rank is null) as jobs
       from generations g where g.owner_id = $1`,
    [team.id],
  )
  expect(rows.map(({ id }) => id).toSorted(byText)).toEqual(ids.toSorted(byText))
  expect(rows.every(({ jobs }) => jobs === 1)).toBe(true)
  expect(await checkBooks(aServiceContext(services))).toEqual({ clean: true, faults: [] })
}

const byText = (left: string, right: string) => left.localeCompare(right)
const keys = Array.from({ length: 60 }, (_, index) => `order ${index}`)

test('a process killed during a batch starts each of its generations once or not at all', {
  timeout: 60_000,
}, async () => {
  const { own, team, server, startThere } = await aServer()
  const holder = await own.services.pool.connect()
  await holder.query('begin')
  await holder.query('select from credit_accounts where id = $1 for update', [team.spender.accountId])
  const asked = keys.map(startThere)
  const isWaiting = `select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'select start_generations%' and datname = current_database()`
  await vi.waitFor(async () => expect((await own.services.pool.query(isWaiting)).rows[0].count).toBeGreaterThan(0), {
    timeout: 15_000,
    interval: 1,
  })
  await server.kill()
  await holder.query('commit')
  holder.release()

  expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]))
  const ids = await Promise.all(keys.map((key) => repeat(team, key)))
  expect(new Set(ids).size).toBe(keys.length)
  await expectEachOnce(own, team, ids)
})

test('answers sent before a kill stay valid', { timeout: 60_000 }, async () => {
  const { own, team, server, startThere } = await aServer()
  const answered = new Map<string, string>()
  const enough = Promise.withResolvers<void>()
  const asked = keys.map(async (key) => {
    const id = await startThere(key)
    if (id === undefined) return
    answered.set(key, id)
    if (answered.size === 5) enough.resolve()
  })
  await enough.promise
  await server.kill()
  await Promise.all(asked)

  const ids = new Map<string, string>()
  for (const key of keys) ids.set(key, await repeat(team, key))
  for (const [key, id] of answered) expect(ids.get(key)).toBe(id)
  await expectEachOnce(own, team, [...ids.values()])
})
