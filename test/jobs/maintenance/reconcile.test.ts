import { afterAll, expect, test } from 'vitest'
import { checkBooks } from '../../../src/domain/credits/checkBooks.ts'
import { recordEditorGeneration } from '../../../src/domain/generations/start/recordEditorGeneration.ts'
import { reconcileGenerations } from '../../../src/domain/generations/steps/reconcileGenerations.ts'
import { reconcile } from '../../../src/jobs/maintenance/reconcile.ts'
import { aServiceContext } from '../../support/factories.ts'
import { vendorRun, vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices({ lockMilliseconds: 300 })
const { services, clock } = own
afterAll(own.close)

const hours = 3_600_000
const deleteJobs = () => services.pool.query('delete from graphile_worker._private_jobs')
const tasks = async (run: Awaited<ReturnType<typeof vendorRun>>) => (await run.waiting()).map(({ task }) => task)

test('work without a job gets the job of its state, and work with a job is unchanged', async () => {
  const [queued, accepted, made] = [await vendorRun(own), await vendorRun(own, { behaviour: { pollsUntilBegun: 9 } }), await vendorRun(own)]
  await accepted.run('submitGeneration')
  await made.untilMade()
  await deleteJobs()
  const withJob = await vendorRun(own)
  await clock.advance(31_000)
  await reconcile(queued.context)
  expect(await Promise.all([queued, accepted, made, withJob].map(tasks))).toEqual([
    ['submitGeneration'],
    ['pollGeneration'],
    ['finaliseGeneration'],
    ['submitGeneration'],
  ])
  await deleteJobs()
})

test('a generation that has just started does not count as one without a job', async () => {
  const run = await vendorRun(own)
  await deleteJobs()
  await clock.advance(29_000)
  await reconcile(run.context)
  expect(await tasks(run)).toEqual([])
})

test('work past its deadline is left to its job, which fetches results made while no worker ran', async () => {
  const [made, unfinished] = [await vendorRun(own), await vendorRun(own, { behaviour: { pollsUntilDone: 9 } })]
  for (const run of [made, unfinished]) await run.run('submitGeneration')
  await clock.advance(6 * hours)
  await reconcile(made.context)
  expect(await Promise.all([made, unfinished].map(tasks))).toEqual([['pollGeneration'], ['pollGeneration']])
  for (const run of [made, unfinished]) await run.run('pollGeneration')
  await made.run('finaliseGeneration')
  expect(await made.look()).toMatchObject({ state: 'ready', creditsCharged: 150 })
  expect(await unfinished.look()).toMatchObject({ failure: { code: 'timeout', reason: 'deadline_exceeded' }, creditsCharged: 0 })
  expect(await tasks(unfinished)).toContain('cancelAtProvider')
  expect(await checkBooks(made.context)).toEqual({ clean: true, faults: [] })
})

test('work past its deadline without a job gets one for its last poll', async () => {
  const run = await vendorRun(own)
  await run.run('submitGeneration')
  await deleteJobs()
  await clock.advance(6 * hours)
  await reconcile(run.context)
  expect([(await run.look()).state, await tasks(run)]).toEqual(['running', ['pollGeneration']])
})

test('lost jobs are found page by page, also for starts at the same time', async () => {
  const run = await vendorRun(own)
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into generations (id, owner_id, account_id, source, state, family_id, model_id, task, output_type, axes, prompt, parameters, inputs,
         price, created_at)
       select 'gen_' || n, owner_id, account_id, source, state, family_id, model_id, task, output_type, axes, prompt, parameters, inputs,
           price, created_at + n / 1200 * interval '1 second'
         from generations cross join generate_series(1, 2000) n where id = $1 returning id`,
    [run.generationId],
  )
  await deleteJobs()
  await clock.advance(60_000)
  expect((await reconcileGenerations(run.context)).requeued).toBeGreaterThan(rows.length)
  const queued = await services.pool.query<{ count: number }>(
    `select count(*)::integer as count from graphile_worker.jobs where key = any (select 'generation:' || id from unnest($1::text[]) as id)`,
    [rows.map(({ id }) => id)],
  )
  expect(queued.rows).toEqual([{ count: rows.length }])
  expect((await reconcileGenerations(run.context)).requeued).toBe(0)
})

test('work that waits for its first job has no deadline, and generations of the editor are unchanged', async () => {
  const run = await vendorRun(own)
  const asked = { teamId: run.made.team.id, userId: run.made.user.id, familyId: 'x', outputType: 'image', state: 'running' } as const
  const { generationId } = await recordEditorGeneration(aServiceContext(services), asked)
  await clock.advance(10 * 86_400_000)
  await reconcile(run.context)
  const { rows } = await services.pool.query('select state from generations where id = any($1) order by state', [
    [run.generationId, generationId],
  ])
  expect(rows).toEqual([{ state: 'queued' }, { state: 'running' }])
})

test('while the account of one team is locked, work of other teams still fails and gets jobs', async () => {
  const [stuck, outwaited, jobless] = [await vendorRun(own), await vendorRun(own), await vendorRun(own)]
  await deleteJobs()
  for (const run of [stuck, outwaited])
    await services.pool.query(
      `insert into waiting_submits (generation_id, provider, family_id, since) values ($1, 'vendor', 'vendor-image', present())`,
      [run.generationId],
    )
  await clock.advance(25 * hours)
  const client = await services.pool.connect()
  await client.query('begin')
  await client.query('select from credit_accounts where team_id = $1 for update', [stuck.made.team.id])
  await reconcile(stuck.context)
  await client.query('rollback')
  client.release()
  expect([(await stuck.look()).finishedAt, (await outwaited.look()).state]).toEqual([null, 'failed'])
  expect(await tasks(jobless)).toEqual(['submitGeneration'])
})

test('a generation that cannot be ended does not block the repair of others', async () => {
  const runs = [await vendorRun(own), await vendorRun(own), await vendorRun(own)] as const
  const [broken, outwaited, jobless] = runs
  await services.pool.query('update credit_accounts set held = 0 where team_id = $1', [broken.made.team.id])
  await deleteJobs()
  for (const run of [broken, outwaited])
    await services.pool.query(
      `insert into waiting_submits (generation_id, provider, family_id, since) values ($1, 'vendor', 'vendor-image', present())`,
      [run.generationId],
    )
  await clock.advance(25 * hours)
  await reconcile(broken.context)
  expect([(await broken.look()).finishedAt, (await outwaited.look()).state]).toEqual([null, 'failed'])
  expect(await tasks(jobless)).toEqual(['submitGeneration'])
})
