import { afterAll, expect, test } from 'vitest'
import { openQueuePool } from '../../../src/database/queue/queuePool.ts'
import { makeRemovedJobs } from '../../../src/database/queue/removedJobs.ts'
import { startRunner } from '../../../src/jobs/runners/startRunner.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
const { pool } = services
afterAll(close)

const addJob = `select graphile_worker.add_job('held', '{}', job_key => 'held', run_at => now())`

/**
 * Runs one job of the task `held`, and executes the SQL `change` while it runs. Returns the row of the job after the queue has completed the
 * run.
 */
async function rowAfterRun(change: string | undefined): Promise<{ locked_by: string | null; attempts: number } | undefined> {
  const removedJobs = makeRemovedJobs()
  const queuePool = openQueuePool(pool, { directUrl: databaseUrl, log: services.log, removedJobs })
  const begun = Promise.withResolvers<string>()
  const ends = Promise.withResolvers<void>()
  const held = async (_: unknown, { job }: { job: { id: string } }) => {
    begun.resolve(job.id)
    await ends.promise
  }
  const runner = await startRunner(
    { services, removedJobs },
    { name: 'held', jobsAtOnce: 1, tasks: { held } },
    { pool: queuePool.poolFor(['held']), onPool: () => undefined },
  )
  await pool.query(addJob)
  const id = await begun.promise
  if (change === addJob) await pool.query(addJob)
  else if (change !== undefined) await pool.query(`update graphile_worker._private_jobs set ${change} where id = $1`, [id])
  ends.resolve()
  // A stop ends after the end of each run was written.
  await runner.stop()
  await queuePool.close()
  const { rows } = await pool.query('select locked_by, attempts from graphile_worker._private_jobs where id = $1', [id])
  await pool.query('delete from graphile_worker._private_jobs')
  return rows[0]
}

test('a run that ended completes its job', async () => {
  expect(await rowAfterRun(undefined)).toBeUndefined()
})

test('a run does not complete a job that another process has taken over', async () => {
  const taken = `locked_by = 'pool_of_another', attempts = attempts + 1`
  expect(await rowAfterRun(taken)).toEqual({ locked_by: 'pool_of_another', attempts: 2 })
})

test('a run does not complete a job that waits for its next run, or that its process has taken again', async () => {
  const waits = "locked_by = null, locked_at = null, attempts = 0, revision = revision + 1, run_at = now() + interval '1 hour'"
  expect(await rowAfterRun(waits)).toEqual({ locked_by: null, attempts: 0 })
  expect(await rowAfterRun('attempts = attempts + 1')).toMatchObject({ attempts: 2 })
})

test('a run completes its job also when the same job was added again meanwhile', async () => {
  expect(await rowAfterRun(addJob)).toBeUndefined()
})
