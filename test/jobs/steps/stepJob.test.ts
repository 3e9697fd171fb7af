import { afterAll, expect, test } from 'vitest'
import { Refusal } from '../../../src/contract/refusals/refusals.ts'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import type { JobContext } from '../../../src/jobs/runners/jobContext.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aServiceContext } from '../../support/factories.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services } = own
afterAll(own.close)

/** As a worker that has taken the job of the generation. A worker registers its tasks when it starts. */
async function take(generationId: string, since = '0 seconds'): Promise<void> {
  await services.pool.query(`insert into graphile_worker._private_tasks (identifier) values ('finaliseGeneration') on conflict do nothing`)
  await services.pool.query(
    `update graphile_worker._private_jobs set locked_by = 'pool', locked_at = now() - $2::interval where key = $1`,
    [`generation:${generationId}`, since],
  )
}

/** The jobs of a generation, with the task that each would run after the end of its process. */
async function jobsOf(generationId: string): Promise<{ task: string; running: boolean; flags: string[] }[]> {
  const { rows } = await services.pool.query(
    `select t.identifier as task, j.locked_at is not null as running, array(select jsonb_object_keys(j.flags)) as flags
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.payload->>'generationId' = $1`,
    [generationId],
  )
  return rows
}

/** The process ends while it stores the result. */
const ending = (context: JobContext): JobContext => ({
  ...context,
  storage: { ...context.storage, put: () => Promise.withResolvers<never>().promise },
})

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise(setImmediate)
}

test('a job goes on with the next step without a job of its own: a result that a poll finds is ready after it', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  await take(run.generationId)
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150, fence: 2 })
  expect((await run.waiting()).map(({ task }) => task)).toEqual([])
})

test.each([
  { job: 'a job that was locked for long', since: '2 minutes', left: 'finaliseGeneration' },
  { job: 'a job that was locked a moment ago', since: '1 second', left: 'pollGeneration' },
] as const)(
  'a process that ends while it goes on leaves $job as $left, which fetches the result, charged once',
  async ({ since, left }) => {
    const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
    await run.run('submitGeneration')
    await take(run.generationId, since)
    void run.run('pollGeneration', ending(run.context))
    await until(async () => (await run.look()).state === 'finalizing')
    expect(await jobsOf(run.generationId)).toEqual([{ task: left, running: true, flags: ['family:vendor-image'] }])
    await run.run(left)
    expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
    // The ended process may have stored its result.
    expect((await run.waiting()).map(({ task }) => task)).toContain('removeOrphans')
    expect(await checkBooks(aServiceContext(services))).toEqual({ clean: true, faults: [] })
  },
)

test('a job goes on when the confirmation of its outputs was lost', { timeout: 40_000 }, async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  await take(run.generationId)
  const { sql } = run.context
  let isLost = false
  const one = async <Row>(...asked: Parameters<typeof sql.one<Row>>) => {
    const row = await sql.one<Row>(...asked)
    if (isLost || asked[0].name !== 'record_outputs') return row
    isLost = true
    throw new Refusal('service_unavailable')
  }
  await run.run('pollGeneration', { ...run.context, sql: { ...sql, one } })
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})

test('a job whose recorded outputs the database has lost does not complete, and the restored job delivers the result', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  await take(run.generationId)
  const { storage } = run.context
  // As after a failover to a standby that has the claim, and lacks the outputs.
  const failOver = `with lost as (update generation_attempts set outputs = null, gathered_fence = null where generation_id = $1)
    update generations set state = 'running' where id = $1`
  const put: typeof storage.put = async (...asked) => {
    const stored = await storage.put(...asked)
    await services.pool.query(failOver, [run.generationId])
    return stored
  }
  await expect(run.run('pollGeneration', { ...run.context, storage: { ...storage, put } })).rejects.toThrow('lost the claim')
  expect(await run.look()).toMatchObject({ state: 'running', creditsCharged: null })
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})

test('a job that the queue has lost queues the next step', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  await run.run('pollGeneration')
  expect(await run.look()).toMatchObject({ state: 'finalizing' })
  expect((await run.waiting()).map(({ task }) => task)).toEqual(['finaliseGeneration'])
})

test('a shutdown while a job goes on queues the step that it was at', async () => {
  const run = await vendorRun(own, { behaviour: { pollsUntilDone: 1 } })
  await run.run('submitGeneration')
  await take(run.generationId)
  const shutdown = new AbortController()
  const provider = run.context.providers.get('vendor')
  if (!provider) throw new Error('the vendor is missing')
  const collect = () => {
    shutdown.abort()
    return Promise.withResolvers<never>().promise
  }
  await run.run('pollGeneration', { ...run.context, providers: makeRegistry([{ ...provider, collect }]), shutdown: shutdown.signal })
  expect(await run.look()).toMatchObject({ state: 'finalizing' })
  expect(await run.waiting()).toMatchObject([{ task: 'finaliseGeneration', seconds: 0 }])
  await run.run('finaliseGeneration')
  expect(await run.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
})
