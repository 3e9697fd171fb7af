import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeSharedSlots } from '../../../src/concurrency/sharedSlots.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { planLocalPoll } from '../../../src/jobs/steps/localPoll.ts'
import { makeLocalPolls } from '../../../src/jobs/steps/localPolls.ts'
import type { Step } from '../../../src/jobs/steps/step.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services } = own
afterAll(own.close)

/** A generation whose first job was taken by a worker, and the context of that job. */
async function taken(options: Parameters<typeof vendorRun>[1], more: Partial<JobContext> = {}) {
  const run = await vendorRun(own, options)
  await run.lockJob()
  return { ...run, waitingContext: { ...run.context, localPolls: makeLocalPolls({ max: 1, concurrency: 40 }), ...more } }
}

async function runCount(generationId: string): Promise<number> {
  const { rows } = await services.pool.query('select jobs_begun from generation_attempts where generation_id = $1', [generationId])
  return rows[0]?.jobs_begun
}

async function submitted(generationId: string): Promise<void> {
  const attempt = () =>
    services.pool.query('select from generation_attempts where generation_id = $1 and handle is not null', [generationId])
  await vi.waitFor(async () => expect((await attempt()).rowCount).toBe(1), { interval: 2 })
}

test('one job submits, waits for the polls itself and stores the result, under one claim', async () => {
  const run = await taken({ behaviour: { pollsUntilDone: 3 } })
  await run.run('submitGeneration', run.waitingContext)
  expect(run.vendor.polls).toBe(3)
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150, fence: 1 })
  expect((await run.waiting()).map(({ task }) => task)).toEqual([])
  expect(run.waitingContext.localPolls.take()).toBeDefined()
})

test('while a job waits for a poll, the report of the vendor is recorded and the run count is 0', async () => {
  const stopping = new AbortController()
  const run = await taken({ behaviour: { pollsUntilDone: 50 } }, { shutdown: stopping.signal })
  const working = run.run('submitGeneration', run.waitingContext)
  await vi.waitFor(async () => expect(await run.look()).toMatchObject({ state: 'running', progress: expect.any(Number), fence: 1 }), {
    interval: 5,
  })
  await vi.waitFor(async () => expect(await runCount(run.generationId)).toBe(0), { interval: 5 })
  stopping.abort()
  await working
})

test('a process that must stop queues the poll, and another process ends the work', async () => {
  const stopping = new AbortController()
  const run = await taken({ behaviour: { pollsUntilDone: 2 } }, { shutdown: stopping.signal })
  const working = run.run('submitGeneration', run.waitingContext)
  await vi.waitFor(() => expect(run.vendor.polls).toBe(1), { interval: 2 })
  stopping.abort()
  await working
  expect(await run.waiting()).toMatchObject([{ task: 'pollGeneration' }])
  await run.run('pollGeneration')
  await run.run('finaliseGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
  expect(run.vendor.jobs.size).toBe(1)
})

test('a job whose process is killed while it waits is taken over: the vendor is polled, and the work is not submitted again', async () => {
  const run = await taken({ behaviour: { pollsUntilDone: 2 } })
  const killed = new AbortController()
  void run.run('submitGeneration', { ...run.waitingContext, shutdown: killed.signal, slots: makeSharedSlots(40) })
  await vi.waitFor(() => expect(run.vendor.polls).toBe(1), { interval: 2 })
  // The queue unlocks the job of a dead process; it still has the task of its first step.
  await run.run('submitGeneration')
  killed.abort()
  await run.run('finaliseGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
  expect(run.vendor.jobs.size).toBe(1)
})

test('a job that lost its claim while it waited does not poll: only the job that took over takes the result', async () => {
  const run = await taken({ behaviour: { pollsUntilDone: 1 }, provider: { pollAfterMs: 2_600 } })
  const working = run.run('submitGeneration', run.waitingContext)
  await submitted(run.generationId)
  await services.pool.query('update generations set fence = fence + 1 where id = $1', [run.generationId])
  await working
  expect(run.vendor.polls).toBe(0)
  await run.run('pollGeneration')
  await run.run('finaliseGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})

test('a process that is stopped after its write, and loses its claim meanwhile, does not poll', async () => {
  const run = await taken({ behaviour: { pollsUntilDone: 1 } })
  const { pool } = services
  const [query, now] = [pool.query, performance.now.bind(performance)]
  let stoppedMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + stoppedMs)
  pool.query = (async (config: { name?: string }, ...rest: unknown[]) => {
    const result = await Reflect.apply(query, pool, [config, ...rest])
    if (config.name === 'record_submitted') {
      await Reflect.apply(query, pool, ['update generations set fence = fence + 1 where id = $1', [run.generationId]])
      stoppedMs = 20_000
    }
    return result
  }) as never
  onTestFinished(() => {
    pool.query = query
    vi.restoreAllMocks()
  })
  await run.run('submitGeneration', run.waitingContext)
  expect(run.vendor.polls).toBe(0)
})

test('a job that waits during an outage keeps its claim, and polls when the database is back', async () => {
  const run = await taken({ behaviour: { pollsUntilDone: 1 }, provider: { pollAfterMs: 2_600 } })
  const { pool } = services
  const { query } = pool
  let refused = 0
  pool.query = ((config: { name?: string }, ...rest: unknown[]) => {
    if (config.name !== 'open_fences' || refused === 2) return Reflect.apply(query, pool, [config, ...rest])
    refused += 1
    return Promise.reject(Object.assign(new Error('the database system is starting up'), { code: '57P03' }))
  }) as never
  onTestFinished(() => void (pool.query = query))
  await run.run('submitGeneration', run.waitingContext)
  expect([refused, run.vendor.polls]).toEqual([2, 1])
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150, fence: 1 })
})

test('a job whose claim cannot be checked leaves its slot to others, and polls when the database is back', async () => {
  const localPolls = makeLocalPolls({ max: 1, concurrency: 1, slotWaitMs: 10_000 })
  const run = await taken({ behaviour: { pollsUntilDone: 1 } }, { localPolls })
  const { pool } = services
  const [query, now] = [pool.query, performance.now.bind(performance)]
  const other = { group: 'other', member: 'other' }
  const releaseFirst = await localPolls.takeSlot(other, new AbortController().signal)
  const refused = Promise.withResolvers<void>()
  let isRefused = false
  pool.query = ((config: { name?: string }, ...rest: unknown[]) => {
    if (config.name !== 'open_fences' || isRefused) return Reflect.apply(query, pool, [config, ...rest])
    isRefused = true
    refused.resolve()
    return Promise.reject(Object.assign(new Error('the database system is starting up'), { code: '57P03' }))
  }) as never
  onTestFinished(() => {
    pool.query = query
    vi.restoreAllMocks()
  })
  const waits = vi.spyOn(localPolls, 'takeSlot')

  const working = run.run('submitGeneration', run.waitingContext)
  await vi.waitFor(() => expect(waits).toHaveBeenCalledOnce(), { interval: 2 })
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_000)
  releaseFirst?.()
  await refused.promise
  const releaseSecond = await localPolls.takeSlot(other, new AbortController().signal)
  expect([releaseSecond, run.vendor.polls]).toEqual([expect.any(Function), 0])
  releaseSecond?.()
  await working

  expect(run.vendor.polls).toBe(1)
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150, fence: 1 })
})

test('a plan that is repeated with its write takes one permit', () => {
  const localPolls = makeLocalPolls({ max: 2, concurrency: 40 })
  const step = { context: { localPolls, shutdown: new AbortController().signal } } as unknown as Step
  expect([planLocalPoll(step, 1), planLocalPoll(step, 2)]).toEqual([true, true])
  expect([localPolls.take(), localPolls.take()]).toEqual([expect.anything(), undefined])
})

test('a cancel ends the wait at once', async () => {
  const run = await taken({ behaviour: { pollsUntilDone: 9 }, provider: { pollAfterMs: 9_000 } })
  const working = run.run('submitGeneration', run.waitingContext)
  await submitted(run.generationId)
  await run.cancel()
  await working
  expect(run.vendor.polls).toBe(0)
  expect(await run.look()).toMatchObject({ state: 'cancelled' })
})

test('a job that waits or polls itself takes no slot of the jobs in the queue, which it would overtake', async () => {
  const slots = makeSharedSlots(1)
  const run = await taken({ behaviour: { pollsUntilDone: 1 } }, { slots })
  const held = Promise.withResolvers<void>()
  run.vendor.behaviour.pollGate = held.promise
  const working = run.run('submitGeneration', run.waitingContext)
  await vi.waitFor(() => expect(run.vendor.polls).toBe(1), { interval: 2 })
  const release = slots.take({ group: 'vendor', member: 'vendor-image' })
  expect(release).toBeDefined()
  held.resolve()
  await working
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})

test('the queue gets the poll when the process has no free slot for it in time', async () => {
  const localPolls = makeLocalPolls({ max: 1, concurrency: 1, slotWaitMs: 50 })
  const run = await taken({ behaviour: { pollsUntilDone: 9 } }, { localPolls })
  const release = await localPolls.takeSlot({ group: 'other', member: 'other' }, new AbortController().signal)
  await run.run('submitGeneration', run.waitingContext)
  expect(await run.waiting()).toMatchObject([{ task: 'pollGeneration', seconds: 0 }])
  release?.()
})

test.each([
  { what: 'the process has no local poll left', pollAfterMs: 5_000, max: 0 },
  { what: 'the vendor asks for a long pause', pollAfterMs: 11_000, max: 1 },
])('the queue schedules the poll when $what', async ({ pollAfterMs, max }) => {
  const run = await taken(
    { behaviour: { pollsUntilDone: 9 }, provider: { pollAfterMs } },
    { localPolls: makeLocalPolls({ max, concurrency: 40 }) },
  )
  await run.run('submitGeneration', run.waitingContext)
  expect(await run.waiting()).toMatchObject([{ task: 'pollGeneration', seconds: pollAfterMs / 1000 }])
})
