import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { Refusal } from '../../../../src/contract/refusals/refusals.ts'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { insertStarts, type NewStart } from '../../../../src/domain/generations/start/insertStarts.ts'
import { newGeneration } from '../../../../src/domain/generations/start/newGeneration.ts'
import { planGeneration } from '../../../../src/domain/generations/start/planGeneration.ts'
import { startBatcherOf } from '../../../../src/domain/generations/start/startBatcher.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import type { Hundredths } from '../../../../src/entities/Hundredths.ts'
import { databaseProxyTo } from '../../../support/database/databaseProxy.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const here = await testServices()
const there = await testServices({ databaseUrl: here.databaseUrl })
afterAll(async () => {
  await there.close()
  await here.close()
})

const request = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const times = <Value>(count: number, make: (index: number) => Value) => Array.from({ length: count }, (_, index) => make(index))

const codeOf = (error: unknown) => {
  if (error instanceof Refusal) return error.code
  throw error
}

/** A new start of one credit. */
async function aStart({ context, spender }: TeamWithKey, row: { price?: number } = {}): Promise<NewStart> {
  const plan = await planGeneration(context, spender, request)
  const made = newGeneration(context, spender, request, plan)
  return { row: { ...made, ...(row.price === undefined ? {} : { price: row.price as Hundredths }) }, inputs: [], idempotency: undefined }
}

/** `jobs`: generations with a job, or waiting for one behind others of their team. */
async function openWorkOf({ team }: TeamWithKey): Promise<{ generations: number; jobs: number; held: number }> {
  const { rows } = await here.services.pool.query(
    `select count(g.id)::integer as generations, count(coalesce(j.key, p.generation_id))::integer as jobs, coalesce(sum(g.price), 0)::integer as held
       from generations g left join graphile_worker.jobs j on j.key = 'generation:' || g.id
         left join waiting_starts p on p.generation_id = g.id and p.rank is null where g.owner_id = $1`,
    [team.id],
  )
  return rows[0]
}

test('of 50 concurrent starts in two processes with credits for ten, exactly ten succeed', async () => {
  const team = await aTeamWithKey(here.services, { credits: 10 })
  const started = await Promise.allSettled(
    times(50, (index) => {
      const context = { ...team.context, ...(index % 2 === 0 ? here : there).services }
      return startGeneration(context, team.spender, { request, idempotencyKey: undefined })
    }),
  )
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await openWorkOf(team)).toEqual({ generations: 10, jobs: 10, held: 1000 })
})

test('of 50 concurrent starts in two processes on two accounts, as many succeed as may be open in the family', async () => {
  const [team, agent] = [await aTeamWithKey(here.services), await aTeamWithKey(here.services)]
  const verdicts = await Promise.all(
    times(50, async (index) => {
      const start = await aStart(index % 3 === 0 ? agent : team)
      const own = { ...start, openMax: 10, row: { ...start.row, ownerId: team.team.id } }
      return startBatcherOf((index % 2 === 0 ? here : there).services).add(own)
    }),
  )
  const started = verdicts.filter((verdict) => verdict === 'started').length
  // A start that does not fit beside others of its batch is retried alone.
  expect([started, verdicts.filter((verdict) => verdict === 'too_many_open').length]).toEqual([10, 40])
  expect(await openWorkOf(team)).toMatchObject({ generations: 10, jobs: 10 })
  expect(await checkBooks(team.context)).toEqual({ clean: true, faults: [] })
})

test('60 concurrent starts with three idempotency keys in two processes start three generations', async () => {
  const team = await aTeamWithKey(here.services)
  const ids = await Promise.all(
    times(60, async (index) => {
      const context = { ...team.context, ...(index % 2 === 0 ? here : there).services }
      for (;;) {
        try {
          const options = { request, idempotencyKey: `order ${index % 3}` }
          return (await startGeneration(context, team.spender, options)).generation.generationId
        } catch (error) {
          if ((error as { code?: unknown }).code !== 'idempotency_in_progress') throw error
        }
      }
    }),
  )
  expect(new Set(ids).size).toBe(3)
  expect(await openWorkOf(team)).toEqual({ generations: 3, jobs: 3, held: 300 })
})

test('in one batch each key has its own limits and each team its own credits', async () => {
  const [rich, poor, daily, single, monthly, budget] = [
    await aTeamWithKey(here.services),
    await aTeamWithKey(here.services, { credits: 2 }),
    await aTeamWithKey(here.services, { dailyLimitCredits: 3 }),
    await aTeamWithKey(here.services, { singleLimitCredits: 0.5 }),
    await aTeamWithKey(here.services, { monthlyLimitCredits: 3 }),
    await aTeamWithKey(here.services),
  ]
  await updateTeam(aServiceContext(here.services), { id: budget.team.id, monthlyLimitCredits: 3 })
  const all = [rich, poor, daily, single, monthly, budget].flatMap((team) => times(5, () => team))
  const outcomes = await Promise.all(
    all.map(async (team) => {
      const starting = startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })
      return starting.then(() => 'started', codeOf)
    }),
  )
  const refused = (code: string, count: number) => times(count, () => code)
  const sorted = (codes: string[]) => codes.toSorted((left, right) => left.localeCompare(right))
  expect(outcomes.slice(0, 5)).toEqual(refused('started', 5))
  expect(sorted(outcomes.slice(5, 10))).toEqual([...refused('insufficient_credits', 3), ...refused('started', 2)])
  expect(sorted(outcomes.slice(10, 15))).toEqual([...refused('spend_limit_exceeded', 2), ...refused('started', 3)])
  for (const from of [20, 25])
    expect(sorted(outcomes.slice(from, from + 5))).toEqual([...refused('spend_limit_exceeded', 2), ...refused('started', 3)])
  expect(outcomes.slice(15, 20)).toEqual(refused('spend_limit_exceeded', 5))
})

test('a start that fails its batch does not fail others', async () => {
  const [good, bad] = [await aTeamWithKey(here.services), await aTeamWithKey(here.services)]
  const queue = startBatcherOf(here.services)
  const starts = [await aStart(good), await aStart(bad, { price: -1 }), await aStart(good)]
  const outcomes = await Promise.allSettled(starts.map((start) => queue.add(start)))
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 'started' },
    { status: 'rejected' },
    { status: 'fulfilled', value: 'started' },
  ])
  expect(await openWorkOf(good)).toEqual({ generations: 2, jobs: 2, held: 200 })
})

test('a team with a locked account does not delay starts of other teams', async () => {
  const [busy, free] = [await aTeamWithKey(here.services), await aTeamWithKey(here.services)]
  const client = await here.services.pool.connect()
  await client.query('begin')
  await client.query('select from credit_accounts where id = $1 for update', [busy.spender.accountId])
  const queue = startBatcherOf(here.services)
  const waiting = queue.add(await aStart(busy))
  expect(await queue.add(await aStart(free))).toBe('started')
  await client.query('commit')
  client.release()
  expect(await waiting).toBe('started')
})

test('a deleted account or key starts nothing', async () => {
  const team = await aTeamWithKey(here.services)
  const start = await aStart(team)
  const strange = (row: object) => ({ ...start, row: { ...start.row, id: newId('gen'), ...row } })
  const starts = [strange({ accountId: 'acct_none' }), strange({ keyId: 'key_none' })]
  expect(await insertStarts(team.context, starts, { waitForLocks: true })).toEqual(['invalid_token', 'invalid_token'])
})

test.each([
  ['with an idempotency key', 'order 1', 1000],
  ['without', undefined, 1000],
  ['for the last credit', undefined, 1],
])(
  'a start with an answer lost after its commit, %s, is found again and neither repeated nor refused',
  async (_which, idempotencyKey, credits) => {
    const team = await aTeamWithKey(here.services, { credits })
    const gate = await databaseProxyTo(here.databaseUrl)
    const cut = await testServices({ databaseUrl: gate.url, poolMax: 1 })
    const context = { ...team.context, ...cut.services }
    const lost = gate.dropReplyTo('start_generations')
    const { generation, replayed } = await startGeneration(context, team.spender, { request, idempotencyKey })
    await lost
    expect(replayed).toBe(false)
    expect(await openWorkOf(team)).toEqual({ generations: 1, jobs: 1, held: 100 })
    const { rows } = await here.services.pool.query('select id from generations where owner_id = $1', [team.team.id])
    expect(rows).toEqual([{ id: generation.generationId }])
    await cut.close()
  },
)

test('starts that wait for an unreachable database are refused, and succeed when it is available again', async () => {
  const team = await aTeamWithKey(here.services)
  const gate = await databaseProxyTo(here.databaseUrl)
  const limits = { connectTimeoutMilliseconds: 200, queryTimeoutMilliseconds: 500 }
  // On a busy machine the first connections may exceed the limits.
  const cut = await vi.waitFor(() => testServices({ databaseUrl: gate.url, poolMax: 2, ...limits }))
  const context = { ...team.context, ...cut.services }
  gate.stallConnections(true)
  const starting = times(3, () =>
    startGeneration(context, team.spender, { request, idempotencyKey: undefined }).then(() => 'started', codeOf),
  )
  expect(await Promise.all(starting)).toEqual(times(3, () => 'service_unavailable'))
  gate.resumeConnections()
  await vi.waitFor(
    async () => {
      const started = await startGeneration(context, team.spender, { request, idempotencyKey: 'back' })
      expect(started.generation.state).toBe('queued')
    },
    { interval: 50 },
  )
  await cut.close()
})

test('the books are balanced after all tests', async () => {
  expect(await checkBooks(aServiceContext(here.services))).toEqual({ clean: true, faults: [] })
})
