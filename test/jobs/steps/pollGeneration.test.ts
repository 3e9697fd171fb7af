import { afterAll, expect, test, vi } from 'vitest'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { clock } = own
afterAll(own.close)

const deadline = { failure: { code: 'timeout', reason: 'deadline_exceeded' }, creditsCharged: 0 }

test('after the deadline the vendor is polled once more, and a result made by then counts', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  await clock.advance(200_000)
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'finalizing' })
})

test('after the deadline work fails as a timeout, costs nothing, and the cancel at the vendor is queued with the end', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 9 } })
  await run.run('submitGeneration')
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'running' })
  await clock.advance(200_000)
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject(deadline)
  expect((await run.waiting()).map(({ task }) => task)).toContain('cancelAtProvider')
  await run.run('cancelAtProvider')
  expect(run.vendorJob()?.cancelled).toBe(true)
})

test('a poll without an answer is repeated until the deadline', async () => {
  const run = await vendorRun(own, { behaviour: { poll: 'drops' } })
  await run.run('submitGeneration')
  await run.run('pollGeneration')
  expect(await run.waiting()).toMatchObject([{ task: 'pollGeneration', seconds: 5 }])
  await clock.advance(200_000)
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject(deadline)
})

test.each([{ ignoresAbort: false }, { ignoresAbort: true }])(
  'a poll that hangs ends at its time limit, also if the provider ignores the signal (%j)',
  async (provider) => {
    const run = await vendorRun(own, { behaviour: { poll: 'hangs' }, provider: { ...provider, answerSeconds: { poll: 0.05 } } })
    await run.run('submitGeneration')
    await run.run('pollGeneration')
    expect(await run.waiting()).toMatchObject([{ task: 'pollGeneration', seconds: 5 }])
  },
)

test('a cancel aborts a running poll at once', async () => {
  const run = await vendorRun(own, { behaviour: { poll: 'hangs', pollsUntilDone: 9 } })
  await run.run('submitGeneration')
  const polling = run.run('pollGeneration')
  await vi.waitFor(() => expect(run.vendor.polls).toBe(1), { interval: 2 })
  await run.cancel()
  await polling
  expect(await run.look()).toMatchObject({ state: 'cancelled' })
})

test('a job that lost its claim while it waited for the vendor records nothing', async () => {
  const answer = Promise.withResolvers<void>()
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  run.vendor.behaviour.pollGate = answer.promise
  const late = run.run('pollGeneration')
  await vi.waitFor(() => expect(run.vendor.polls).toBe(1), { interval: 2 })
  run.vendor.behaviour = { ...run.vendor.behaviour, pollGate: Promise.resolve(), pollsUntilDone: 9 }
  await run.run('pollGeneration')
  const before = await run.look()
  answer.resolve()
  await late
  expect(await run.look()).toEqual(before)
  expect(before).toMatchObject({ state: 'running', fence: 3 })
})

test('a cancel that does not reach the vendor is repeated later', async () => {
  const run = await vendorRun(own, { behaviour: { cancel: 'drops', pollsUntilDone: 9 } })
  await run.run('submitGeneration')
  await run.cancel()
  await run.run('cancelAtProvider')
  expect(await run.waiting()).toContainEqual({
    task: 'cancelAtProvider',
    seconds: 1,
    payload: { generationId: run.generationId, tries: 1 },
  })
  run.vendor.behaviour.cancel = 'answers'
  await run.run('cancelAtProvider')
  expect(run.vendorJob()?.cancelled).toBe(true)
})

/** The jobs of a generation: the one that a worker has taken, and any other. */
async function jobsOf(generationId: string): Promise<{ id: number; poolId: string | null; task: string; seconds: number }[]> {
  const { rows } = await own.services.pool.query(
    `select j.id, j.locked_by as "poolId", t.identifier as task, round(extract(epoch from j.run_at - now()))::integer as seconds
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where j.payload->>'generationId' = $1`,
    [generationId],
  )
  return rows
}

/** A poll as a worker runs it, with its job in the queue. */
async function polledByWorker({ takenBy = 'pool', isEnding = false } = {}) {
  const run = await vendorRun(own, { behaviour: { poll: 'drops' } })
  await run.run('submitGeneration')
  const lock = `update graphile_worker._private_jobs set locked_by = $2, locked_at = now(), attempts = 1 where key = $1 returning id`
  const { rows } = await own.services.pool.query(lock, [`generation:${run.generationId}`, takenBy])
  const job = { id: Number(rows[0].id), poolId: 'pool' }
  const removed: number[] = []
  const removedJobs = { ...run.context.removedJobs, add: (id: number) => void removed.push(id) }
  const context = { ...run.context, job, removedJobs, ...(isEnding ? { shutdown: AbortSignal.abort() } : {}) }
  await run.run('pollGeneration', context)
  return { job, removed, jobs: await jobsOf(run.generationId) }
}

test('the job of a poll waits for the next poll itself, and the queue does not complete it', async () => {
  const { job, removed, jobs } = await polledByWorker()
  expect(jobs).toEqual([{ id: job.id, poolId: null, task: 'pollGeneration', seconds: 5 }])
  expect(removed).toEqual([job.id])
})

test.each([
  { why: 'it is due at once', options: { isEnding: true } },
  { why: 'another worker has taken the job', options: { takenBy: 'another pool' } },
])('the next poll gets a job of its own if $why', async ({ options }) => {
  const { job, removed, jobs } = await polledByWorker(options)
  expect(jobs.find(({ id }) => id !== job.id)).toMatchObject({ poolId: null, task: 'pollGeneration' })
  expect(removed).toEqual([])
})
