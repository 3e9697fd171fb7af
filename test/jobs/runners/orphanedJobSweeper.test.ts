import { setTimeout as pause } from 'node:timers/promises'
import { type Job, Logger } from 'graphile-worker'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openQueuePool } from '../../../src/database/queue/queuePool.ts'
import { makeRemovedJobs } from '../../../src/database/queue/removedJobs.ts'
import { queueLimits } from '../../../src/jobs/runners/queueLimits.ts'
import { runQueue } from '../../../src/jobs/runners/runQueue.ts'
import { ageLocks } from '../../support/generations/jobLocks.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
const quiet = { logger: new Logger(() => () => undefined), parsedCronItems: [], noHandleSignals: true }
const pace = { completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 50 }
const limits = { ...queueLimits, restartPauseMs: 20, jobEndWriteMs: 50, sweepMs: 50, lockAgeMs: 200 }
afterAll(close)

test('the sweep of orphaned jobs spares a job whose next run started right after its last one', async () => {
  const { pool } = services
  const removedJobs = makeRemovedJobs()
  const queuePool = openQueuePool(pool, { directUrl: databaseUrl, log: services.log, removedJobs })
  onTestFinished(() => queuePool.close())
  const { promise: secondEnds, resolve: endSecond } = Promise.withResolvers<void>()
  let poolId = ''
  let runs = 0
  const again = async (_: unknown, { job }: { job: Job }): Promise<void> => {
    runs += 1
    if (runs > 1) return secondEnds
    await pool.query(`select jobs_release($1, $2, 'again', 'again', '{}', now(), '{}')`, [job.id, poolId])
    removedJobs.add(Number(job.id))
  }
  const queue = await runQueue(
    { pgPool: queuePool.poolFor(['again']), taskList: { again }, ...quiet, preset: { worker: pace } },
    { onPool: (id) => void (poolId = id), log: services.log, limits },
  )
  await pool.query(`select graphile_worker.add_job('again', '{}', job_key => 'again')`)
  await vi.waitFor(() => expect(runs).toBe(2))
  // After jobEndWriteMs the sweeper no longer counts the first run as running.
  await pause(50)
  await pool.query(`select graphile_worker.add_job('orphan', '{}', job_key => 'orphan')`)
  await pool.query(`update graphile_worker._private_jobs set locked_by = $1, locked_at = now() where key = 'orphan'`, [poolId])
  await ageLocks(pool)
  const locked = `select key from graphile_worker.jobs where key in ('again', 'orphan') and locked_at is not null`
  await vi.waitFor(async () => expect((await pool.query(locked)).rows).not.toContainEqual({ key: 'orphan' }))

  expect((await pool.query(locked)).rows).toEqual([{ key: 'again' }])
  expect(runs).toBe(2)
  endSecond()
  await queue.stop()
})
