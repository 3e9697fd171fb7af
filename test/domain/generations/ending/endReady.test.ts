import { afterAll, expect, test } from 'vitest'
import type { GenerationRequest } from '../../../../src/contract/shapes/generationRequest.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { checkBooks } from '../../../../src/domain/credits/checkBooks.ts'
import { endReady } from '../../../../src/domain/generations/ending/endReady.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { claimGeneration } from '../../../../src/domain/generations/steps/claimGeneration.ts'
import { recordOutputs } from '../../../../src/domain/generations/steps/recordOutputs.ts'
import type { Generation } from '../../../../src/entities/Generation.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
const context = contextFor(services, { kind: 'system' })
afterAll(close)

const price = 100
const step = { providerId: 'sandbox', deadlineSeconds: 120 }

/** A generation whose outputs are recorded, and the claim of the job that stores them. */
async function finalizing(team: TeamWithKey, own: Pick<GenerationRequest, 'webhook'> = {}): Promise<Generation> {
  const request = { familyId: 'sandbox-image', prompt: 'a boat', ...own }
  const { generation } = await startGeneration(team.context, team.spender, { request })
  const first = await claimGeneration(context, generation.generationId, { ...step, task: 'submitGeneration' })
  if (!first) throw new Error('it was not claimed')
  await recordOutputs(context, first, { outputs: [{ data: null }] })
  const second = await claimGeneration(context, generation.generationId, { ...step, task: 'finaliseGeneration' })
  if (!second) throw new Error('it was not claimed')
  return second.generation
}

function end(generation: Generation, inContext = context) {
  const { id, fence } = generation
  const stored = { storageKey: `results/${id}/${fence}`, mimeType: 'image/png', sizeBytes: 1, sha256: '00' }
  const result = { ...stored, width: 1, height: 1, durationSeconds: null }
  return endReady(inContext, { generation, result, cleanup: [], breakerOutcome: undefined })
}

async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  return (await services.pool.query<Row>(text, values)).rows
}

test('generations of one account that end at once are charged, counted and told once each, in fewer transactions', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const subscription = await aSubscription(services, team, 'http://127.0.0.1:9/')
  const all = await Promise.all(Array.from({ length: 12 }, () => finalizing(team)))
  expect((await Promise.all(all.map((each) => end(each)))).every((ended) => ended !== undefined)).toBe(true)

  const ids = all.map(({ id }) => id)
  const rows = await query<{ count: number; moments: number; charged: number }>(
    `select count(*)::integer as count, count(distinct finished_at)::integer as moments, sum(credits_charged)::integer as charged
       from generations where id = any($1) and state = 'ready' and credits_charged = price`,
    [ids],
  )
  expect(rows).toMatchObject([{ count: 12 }])
  const [{ charged, moments } = { charged: 0, moments: 99 }] = rows
  expect(moments).toBeLessThan(12)
  expect(charged).toBeGreaterThanOrEqual(price)
  const key = 'select held_open::integer, charged_on_day::integer as day, charged_in_month::integer as month from api_keys where id = $1'
  expect(await query(key, [team.spender.keyId])).toEqual([{ held_open: 0, day: charged, month: charged }])
  const usage = 'select sum(ready)::integer as ready, sum(charged)::integer as charged from usage_days where owner_id = $1'
  expect(await query(usage, [team.team.id])).toEqual([{ ready: 12, charged }])
  expect(await query('select open from open_work where owner_id = $1', [team.team.id])).toEqual([{ open: 0 }])
  const events = await query<{ number: number }>(
    'select event_number as number from webhook_deliveries where subscription_id = $1 order by event_number',
    [subscription.subscription.id],
  )
  expect(events.map(({ number }) => number)).toEqual(ids.map((_, index) => index + 1))
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('generations that end at once send their callbacks, also without a subscription of the team', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const webhook = { url: 'http://127.0.0.1:9/' }
  const [one, other, unwanted, without] = [
    await finalizing(team, { webhook }),
    await finalizing(team, { webhook: { url: 'http://127.0.0.1:10/' } }),
    await finalizing(team, { webhook: { ...webhook, events: ['generation.failed'] } }),
    await finalizing(team),
  ] as const
  await Promise.all([one, other, unwanted, without].map((each) => end(each)))
  const recorded = await query<{ id: string }>(
    `select generation_id as id from callbacks join webhook_deliveries d on d.id = delivery_id where team_id = $1 order by 1`,
    [team.team.id],
  )
  expect(recorded.map(({ id }) => id)).toEqual([one.id, other.id])
  expect(await query('select from callbacks where generation_id = $1', [unwanted.id])).toEqual([])
})

/** The names of the statements of the next ends. */
function countingStatements(): { named: string[]; counted: typeof context } {
  const named: string[] = []
  const all: typeof context.sql.all = (asked, values) => {
    named.push(asked.name)
    return context.sql.all(asked, values)
  }
  return { named, counted: { ...context, sql: { ...context.sql, all } } }
}

test('ends that nothing observes need no transaction; after a subscription asks for them, the event is recorded in one', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const [first, second, third] = [await finalizing(team), await finalizing(team), await finalizing(team)]
  const { named, counted } = countingStatements()
  expect(await end(first, counted)).toBeDefined()
  expect(named).toEqual(['end_unobserved_results'])
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/')
  expect(await end(second, counted)).toBeDefined()
  expect(await end(third, counted)).toBeDefined()
  // The third does not try without a transaction.
  expect(named).toEqual(['end_unobserved_results', 'end_unobserved_results'])
  const events = 'select event_number as number from webhook_deliveries where subscription_id = $1 order by event_number'
  expect(await query(events, [subscription.id])).toEqual([{ number: 1 }, { number: 2 }])
  const usage = 'select sum(ready)::integer as ready from usage_days where owner_id = $1'
  expect(await query(usage, [team.team.id])).toEqual([{ ready: 3 }])
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('an end whose claim was lost changes nothing, and the ends beside it count', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const [lost, ...others] = await Promise.all(Array.from({ length: 4 }, () => finalizing(team)))
  if (!lost) throw new Error('none was started')
  await claimGeneration(context, lost.id, { ...step, task: 'finaliseGeneration' })
  const ended = await Promise.all([lost, ...others].map((each) => end(each)))
  expect(ended.map((each) => each !== undefined)).toEqual([false, true, true, true])
  expect(await query('select state from generations where id = $1', [lost.id])).toEqual([{ state: 'finalizing' }])
  expect(await end({ ...lost, fence: lost.fence + 1 })).toBeDefined()
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('two jobs with the same claim, as after a failover, end a generation once and record one event', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/')
  const [twice, other] = [await finalizing(team), await finalizing(team)]
  const ended = await Promise.all([other, twice, twice].map((each) => end(each)))
  expect(ended.filter((each) => each !== undefined)).toHaveLength(2)
  const events = 'select event_number as number from webhook_deliveries where subscription_id = $1 order by event_number'
  expect(await query(events, [subscription.id])).toEqual([{ number: 1 }, { number: 2 }])
  expect(await checkBooks(context)).toEqual({ clean: true, faults: [] })
})

test('an end removes the running job of its generation, and no other', async () => {
  const team = await aTeamWithKey(services, { credits: 100 })
  const [running, waiting] = [await finalizing(team), await finalizing(team)]
  const lock = `update graphile_worker._private_jobs set locked_by = 'pool', locked_at = now() where key = $1 returning id`
  const [job] = await query<{ id: number }>(lock, [`generation:${running.id}`])
  expect(await end(running)).toEqual({ jobId: job?.id })
  expect(await end(waiting)).toEqual({ jobId: undefined })
  const keys = await query<{ key: string }>('select key from graphile_worker.jobs where key = any($1)', [
    [running, waiting].map(({ id }) => `generation:${id}`),
  ])
  expect(keys).toEqual([{ key: `generation:${waiting.id}` }])
})
