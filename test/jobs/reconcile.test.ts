import { afterAll, expect, test } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { recordEditorGeneration } from '../../src/domain/generations/recordEditorGeneration.ts'
import { reconcile } from '../../src/jobs/reconcile.ts'
import { aServiceContext } from '../support/factories.ts'
import { vendorRun, vendorServices } from '../support/vendor/vendorRun.ts'

const own = await vendorServices()
const { services, clock } = own
afterAll(own.close)

const forgetJobs = () => services.pool.query('delete from graphile_worker._private_jobs')
const tasks = async (run: Awaited<ReturnType<typeof vendorRun>>) => (await run.waiting()).map(({ task }) => task)

test('work without a job gets the one that its state calls for, and work with one is left alone', async () => {
  const [queued, accepted, made] = [await vendorRun(own), await vendorRun(own, { behaviour: { pollsUntilBegun: 9 } }), await vendorRun(own)]
  await accepted.run('submitGeneration')
  await made.untilMade()
  await forgetJobs()
  const kept = await vendorRun(own)
  await clock.advance(31_000)
  await reconcile(queued.context)
  expect(await Promise.all([queued, accepted, made, kept].map(tasks))).toEqual([
    ['submitGeneration'],
    ['pollGeneration'],
    ['finaliseGeneration'],
    ['submitGeneration'],
  ])
  await forgetJobs()
})

test('a generation that has just begun is not mistaken for one without a job', async () => {
  const run = await vendorRun(own)
  await forgetJobs()
  await clock.advance(29_000)
  await reconcile(run.context)
  expect(await tasks(run)).toEqual([])
})

test('work a minute past its deadline fails as its state says, costs nothing, and its provider is told in the same transaction', async () => {
  const [running, made] = [await vendorRun(own, { behaviour: { pollsUntilDone: 9 } }), await vendorRun(own)]
  await running.run('submitGeneration')
  await running.run('pollGeneration')
  await made.untilMade()
  await clock.advance(120_000 + 59_000)
  await reconcile(running.context)
  expect([(await running.look()).state, (await made.look()).state]).toEqual(['running', 'finalizing'])
  await clock.advance(2000)
  await reconcile(running.context)
  expect(await running.look()).toMatchObject({ failure: { code: 'timeout', reason: 'deadline_exceeded' }, creditsCharged: 0 })
  expect(await made.look()).toMatchObject({ failure: { code: 'internal_error', reason: 'storage_failed' }, creditsCharged: 0 })
  expect(await tasks(running)).toContain('cancelAtProvider')
  await running.run('cancelAtProvider')
  expect(running.vendorJob()?.cancelled).toBe(true)
  expect(await checkBooks(running.context)).toEqual({ clean: true, faults: [] })
})

test('work that waits for its first job has no deadline, and what the editor runs is left to it', async () => {
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

test('one that cannot be ended keeps no other from being mended', async () => {
  const [broken, overdue] = [
    await vendorRun(own, { behaviour: { pollsUntilDone: 9 } }),
    await vendorRun(own, { behaviour: { pollsUntilDone: 9 } }),
  ]
  await broken.run('submitGeneration')
  await overdue.run('submitGeneration')
  const jobless = await vendorRun(own)
  await services.pool.query('update credit_accounts set held = 0 where team_id = $1', [broken.made.team.id])
  await services.pool.query(`update generations set deadline_at = deadline_at - interval '1 second' where id = $1`, [broken.generationId])
  await forgetJobs()
  await clock.advance(181_000)
  await reconcile(overdue.context)
  expect([(await broken.look()).finishedAt, (await overdue.look()).state]).toEqual([null, 'failed'])
  expect(await tasks(jobless)).toEqual(['submitGeneration'])
})
