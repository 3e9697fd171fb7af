import { Logger } from 'graphile-worker'
import type { PoolClient } from 'pg'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { keepAlive } from '../../../src/database/liveness/liveness.ts'
import { openPool } from '../../../src/database/pool/pool.ts'
import { queueLimits } from '../../../src/jobs/runners/queueLimits.ts'
import { runQueue } from '../../../src/jobs/runners/runQueue.ts'
import { databaseProxyTo } from '../../support/database/databaseProxy.ts'
import { ageLocks, orphansSwept } from '../../support/generations/jobLocks.ts'
import { testServices } from '../../support/services.ts'

const { services, databaseUrl, close } = await testServices()
const silent = new Logger(() => () => undefined)
const pace = { completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 50 }
const limits = { ...queueLimits, restartPauseMs: 20, jobEndWriteMs: 100, sweepMs: 50, lockAgeMs: 200 }
afterAll(close)

test('a queue runs jobs after its first fetch failed on a broken connection', async () => {
  const { pool } = services
  const { promise: done, resolve: ran } = Promise.withResolvers<void>()
  let failures = 0
  const flaky = new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name)
      return async (): Promise<PoolClient> => {
        const client = await target.connect()
        return failures > 0 ? client : failingOnLook(client)
      }
    },
  })
  function failingOnLook(client: PoolClient): PoolClient {
    return new Proxy(client, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (name !== 'query' || typeof value !== 'function') return typeof value === 'function' ? value.bind(target) : value
        return (asked: { text?: string }, ...rest: unknown[]) => {
          if (failures > 0 || !asked.text?.includes('_private_tasks')) return value.call(target, asked, ...rest)
          failures++
          return Promise.reject(new Error('the connection broke'))
        }
      },
    })
  }

  const runner = await runQueue(
    {
      pgPool: flaky,
      taskList: { hello: async () => ran() },
      logger: silent,
      parsedCronItems: [],
      noHandleSignals: true,
      preset: { worker: pace },
    },
    { onPool: () => undefined, log: services.log, limits },
  )
  await pool.query(`select graphile_worker.add_job('hello')`)
  await done
  await runner.stop()

  expect(failures).toBe(1)
})

test('a queue that starts while the database is unreachable runs jobs once it is back, and can be stopped before', async () => {
  const gate = await databaseProxyTo(databaseUrl)
  const pool = openPool(gate.url, { max: 8, log: services.log })
  onTestFinished(() => pool.end())
  const ran: string[] = []
  const taskList = { late: async () => void ran.push('late') }
  const options = { pgPool: pool, taskList, logger: silent, parsedCronItems: [], noHandleSignals: true, preset: { worker: pace } }
  const listener = { onPool: () => undefined, log: services.log, limits }
  void gate.refuseConnections(1_000_000)
  await (await runQueue(options, listener)).stop()
  const queue = await runQueue(options, listener)
  onTestFinished(() => queue.stop())
  await services.pool.query(`select graphile_worker.add_job('late')`)
  expect(ran).toEqual([])
  void gate.refuseConnections(0)
  await vi.waitFor(() => expect(ran).toEqual(['late']), { timeout: 10_000 })
})

test('a queue that could not record the end of a job is replaced, and jobs continue', async () => {
  const gate = await databaseProxyTo(databaseUrl)
  const pool = openPool(gate.url, { max: 8, log: services.log })
  onTestFinished(() => pool.end())
  const pools: string[] = []
  const ran: string[] = []
  const taskList = {
    cut: async () => {
      ran.push('cut')
      gate.closeConnections()
    },
    plain: async () => void ran.push('plain'),
  }
  const options = {
    pgPool: pool,
    taskList,
    logger: silent,
    parsedCronItems: [],
    noHandleSignals: true,
    preset: { worker: pace },
  }
  const queue = await runQueue(options, { onPool: (id) => pools.push(id), log: services.log, limits })
  await services.pool.query(`select graphile_worker.add_job('cut')`)
  // Refused for a while, so that the end of the job cannot be recorded.
  await gate.refuseConnections(3)
  await vi.waitFor(() => expect(pools.length).toBeGreaterThan(1), { timeout: 10_000 })
  await services.pool.query(`select graphile_worker.add_job('plain')`)
  await vi.waitFor(() => expect(ran).toContain('plain'), { timeout: 10_000 })
  await queue.stop()
})

test('a job whose fetch lost its answer runs within seconds', async () => {
  const ran: string[] = []
  const pools: string[] = []
  const options = {
    pgPool: services.pool,
    taskList: { lost: async () => void ran.push('lost') },
    logger: silent,
    parsedCronItems: [],
    noHandleSignals: true,
    preset: { worker: pace },
  }
  const queue = await runQueue(options, { onPool: (id) => pools.push(id), log: services.log, limits })
  onTestFinished(() => queue.stop())
  // The state after the statement ran and the connection broke.
  await services.pool.query(`select graphile_worker.add_job('lost', run_at => now() + interval '1 hour')`)
  await services.pool.query(`update graphile_worker._private_jobs set run_at = now(), locked_by = $1, locked_at = now(), attempts = 1`, [
    pools[0],
  ])
  await vi.waitFor(() => expect(ran).toEqual(['lost']), { timeout: 10_000 })
})

test('running jobs of a replaced queue run once, and its locked jobs are unlocked', { timeout: 60_000 }, async () => {
  const gate = await databaseProxyTo(databaseUrl)
  const pool = openPool(gate.url, { max: 8, log: services.log })
  const liveness = await keepAlive({
    url: databaseUrl,
    pool: services.pool,
    processId: newId('proc'),
    roles: ['worker'],
    queues: [],
    log: services.log,
    pollIntervalMs: 50,
  })
  const pools: string[] = []
  const ended: string[] = []
  const runs: string[] = []
  let shortRuns = 0
  const longJobs = Promise.withResolvers<void>()
  const taskList = {
    long: async (payload: unknown) => {
      runs.push((payload as { name: string }).name)
      await longJobs.promise
    },
    short: async () => {
      if (shortRuns++ === 0) gate.closeConnections()
    },
  }
  const options = {
    pgPool: pool,
    taskList,
    logger: silent,
    parsedCronItems: [],
    noHandleSignals: true,
    preset: { worker: { ...pace, concurrentJobs: 8 } },
  }
  const onPool = (id: string) => {
    pools.push(id)
    liveness.addWorkerPool(id)
  }
  const onPoolEnd = (id: string) => {
    ended.push(id)
    liveness.removeWorkerPool(id)
  }
  const queue = await runQueue(options, { onPool, onPoolEnd, log: services.log, limits })
  onTestFinished(async () => {
    await queue.stop()
    await liveness.close()
    await pool.end()
  })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) await services.pool.query(`select graphile_worker.add_job('long', $1::json)`, [JSON.stringify({ name })])
  await vi.waitFor(() => expect(runs.toSorted()).toEqual(names), { timeout: 10_000 })
  await services.pool.query(`select graphile_worker.add_job('short')`)
  // The end of the short job cannot be recorded, so the library gives up.
  await gate.refuseConnections(3)
  await vi.waitFor(() => expect(pools.length).toBeGreaterThan(1), { timeout: 10_000 })

  await ageLocks(services.pool)
  const shortIsFree = `select 1 from graphile_worker.jobs where task_identifier = 'short' and locked_by = $1`
  await vi.waitFor(async () => expect((await services.pool.query(shortIsFree, [pools[0]])).rows).toEqual([]), { timeout: 15_000 })
  await orphansSwept(services.pool)
  expect([runs.toSorted(), ended]).toEqual([names, []])

  longJobs.resolve()
  await vi.waitFor(() => expect(ended).toEqual([pools[0]]), { timeout: 10_000 })
  const left = `select 1 from graphile_worker.jobs where task_identifier in ('long', 'short')`
  await vi.waitFor(async () => expect((await services.pool.query(left)).rows).toEqual([]), { timeout: 20_000 })
})
