import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { keepAlive } from '../../../src/database/liveness/liveness.ts'
import { livenessLimits } from '../../../src/database/liveness/livenessLimits.ts'
import type { Log } from '../../../src/database/log.ts'
import { openPool } from '../../../src/database/pool/pool.ts'
import { testDatabase, testPool } from '../../support/database/database.ts'
import { databaseProxyTo } from '../../support/database/databaseProxy.ts'

const database = await testDatabase()
const pool = testPool(database.url, 3)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const recovery = { timeout: 15_000, interval: 10 }
/** Heartbeats come every 50 ms here. */
const limits = { ...livenessLimits, heartbeatTimeoutSeconds: 0.5, answerMs: 500 }

/** Starts the heartbeats of a process, over `url` and over `poolUrl`. */
async function startHeartbeats(url = database.url, { poolUrl = url, processId = newId('proc') } = {}) {
  const beating = openPool(poolUrl, { max: 2, log })
  const liveness = await keepAlive({ url, pool: beating, processId, roles: ['http'], queues: [], log, limits, pollIntervalMs: 50 })
  onTestFinished(async () => {
    await liveness.close()
    await beating.end()
  })
  return { processId, liveness }
}

/** Creates a job that the worker pool locked before the limit for unregistered pools. */
async function aJobHeldBy(poolId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(`select id from graphile_worker.add_job('nothing')`)
  const held = `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute', attempts = 1 where id = $2`
  await pool.query(held, [poolId, rows[0]?.id])
  return String(rows[0]?.id)
}

async function holderOf(jobId: string): Promise<string | null> {
  return (await pool.query('select locked_by from graphile_worker.jobs where id = $1', [jobId])).rows[0]?.locked_by
}

async function registeredIds(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`select id from processes where heartbeat_at > now() - interval '3 seconds'`)
  return rows.map(({ id }) => id)
}

async function nextHeartbeat(id: string): Promise<void> {
  const read = async () => String((await pool.query('select heartbeat_at::text as at from processes where id = $1', [id])).rows[0]?.at)
  const before = await read()
  await vi.waitFor(async () => expect(await read()).not.toBe(before), recovery)
}

async function slotsOf(subject: string): Promise<unknown> {
  return (await pool.query('select in_progress from request_counts where subject = $1', [subject])).rows[0]?.in_progress
}

/** Creates a killed process: its row exists, and its lock is free. */
async function aDeadProcess(): Promise<string> {
  const id = newId('proc')
  await pool.query(`insert into processes (id, roles) values ($1, '{http}')`, [id])
  return id
}

async function isRemoved(id: string): Promise<boolean> {
  return (await pool.query('select 1 from processes where id = $1', [id])).rows.length === 0
}

test('jobs and slots of a killed process are released within seconds, and those of others are kept', async () => {
  const { processId } = await startHeartbeats()
  const dead = await aDeadProcess()
  const slots = JSON.stringify({ [dead]: 32, [processId]: 2 })
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values ('user:a', 0, 0, $1)`, [slots])
  await vi.waitFor(async () => expect(await slotsOf('user:a')).toEqual({ [processId]: 2 }), recovery)
})

async function reporting(report: () => object) {
  const processId = newId('proc')
  const beating = openPool(database.url, { max: 2, log })
  const options = { url: database.url, pool: beating, processId, roles: ['worker'], queues: [], log, limits, pollIntervalMs: 50 }
  const liveness = await keepAlive({ ...options, report })
  onTestFinished(async () => {
    await liveness.close()
    await beating.end()
  })
  return async () => (await pool.query('select report, heartbeat_at from processes where id = $1', [processId])).rows[0]
}

test('a heartbeat stores what the process says about itself', async () => {
  let pid = 1
  const stored = await reporting(() => ({ pid }))
  expect((await stored()).report).toEqual({ pid: 1 })
  pid = 2
  await vi.waitFor(async () => expect((await stored()).report).toEqual({ pid: 2 }), recovery)
})

test('heartbeats go on while the process cannot report, as without free file descriptors', async () => {
  let reports = 0
  const stored = await reporting(() => {
    if (++reports > 1) throw new Error('EMFILE: too many open files')
    return { pid: 1 }
  })
  await vi.waitFor(async () => expect((await stored()).report).toBeNull(), recovery)
  const { heartbeat_at: before } = await stored()
  const seen = reports
  await vi.waitFor(() => expect(reports).toBeGreaterThan(seen + 6), recovery)
  expect((await stored()).heartbeat_at.getTime()).toBeGreaterThan(before.getTime())
})

test('a slot that is counted after its process was removed is released as well', async () => {
  const { processId } = await startHeartbeats()
  const dead = await aDeadProcess()
  await vi.waitFor(async () => expect(await isRemoved(dead)).toBe(true), recovery)
  const slots = JSON.stringify({ [dead]: 1, [processId]: 2 })
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values ('user:late', 0, 0, $1)`, [slots])
  await vi.waitFor(async () => expect(await slotsOf('user:late')).toEqual({ [processId]: 2 }), recovery)
})

test('a process that shuts down releases its slots', async () => {
  const { processId, liveness } = await startHeartbeats()
  const slots = JSON.stringify({ [processId]: 3, other: 1 })
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values ('user:b', 0, 0, $1)`, [slots])
  await liveness.close()
  expect(await slotsOf('user:b')).toEqual({ other: 1 })
})

test('a process sends heartbeats again after its connection was cut', async () => {
  const gate = await databaseProxyTo(database.url)
  const { processId } = await startHeartbeats(gate.url)
  gate.closeConnections()
  await pool.query(`update processes set heartbeat_at = now() - interval '1 hour' where id = $1`, [processId])
  await vi.waitFor(async () => expect(await registeredIds()).toContain(processId), recovery)
})

test('a process reconnects although the server still holds its lock for a silent connection', {
  timeout: 40_000,
}, async () => {
  const gate = await databaseProxyTo(database.url)
  const { processId } = await startHeartbeats(gate.url)
  gate.stallConnections()
  await pool.query(`update processes set heartbeat_at = now() - interval '1 hour' where id = $1`, [processId])
  await vi.waitFor(async () => expect(await registeredIds()).toContain(processId), recovery)
})

test('after an outage no process counts as dead before it had time for a heartbeat', async () => {
  const [gate, other] = [await databaseProxyTo(database.url), await databaseProxyTo(database.url)]
  const first = await startHeartbeats(gate.url)
  const second = await startHeartbeats(other.url)
  const unheard = aDeadProcess()
  gate.closeConnections()
  other.closeConnections()
  const ids = [first.processId, second.processId, await unheard]
  await vi.waitFor(async () => expect(await registeredIds()).toEqual(expect.arrayContaining(ids.slice(0, 2))), recovery)
  for (let beats = 0; beats < 6; beats++) await nextHeartbeat(first.processId)
  const { rows } = await pool.query<{ id: string }>('select id from processes where id = any($1)', [ids])
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

test('a process whose lock connection is cut permanently keeps its jobs', { timeout: 30_000 }, async () => {
  const gate = await databaseProxyTo(database.url)
  const { processId, liveness } = await startHeartbeats(gate.url, { poolUrl: database.url })
  liveness.addWorkerPool('pool_cut')
  await nextHeartbeat(processId)
  const jobId = await aJobHeldBy('pool_cut')
  const dead = await aDeadProcess()
  void gate.refuseConnections(1_000_000)
  gate.closeConnections()
  const watcher = await startHeartbeats()
  await vi.waitFor(async () => expect(await isRemoved(dead)).toBe(true), recovery)
  expect([await isRemoved(processId), await holderOf(jobId)]).toEqual([false, 'pool_cut'])
  await nextHeartbeat(watcher.processId)
})

test('the jobs of every worker pool of a dead process are unlocked, those of live processes stay locked', { timeout: 30_000 }, async () => {
  const { processId, liveness } = await startHeartbeats()
  liveness.addWorkerPool('pool_living_1')
  liveness.addWorkerPool('pool_living_2')
  await nextHeartbeat(processId)
  const dead = newId('proc')
  await pool.query(`insert into processes (id, roles, worker_pool_ids) values ($1, '{worker}', '{pool_dead_1,pool_dead_2}')`, [dead])
  const held = ['pool_living_1', 'pool_living_2', 'pool_dead_1', 'pool_dead_2']
  const jobs = await Promise.all(held.map(aJobHeldBy))
  await vi.waitFor(
    async () => expect(await Promise.all(jobs.map(holderOf))).toEqual(['pool_living_1', 'pool_living_2', null, null]),
    recovery,
  )
})

async function answersAreOpen(id: string): Promise<boolean> {
  const { rows } = await pool.query<{ open: boolean }>(
    `select submit_is_open(present(), null, $1, present() + interval '1 hour') as open`,
    [id],
  )
  return rows[0]?.open === true
}

test('provider calls of a dead process may report until it cannot come back, those of a process that shut down may not', async () => {
  const { processId, liveness } = await startHeartbeats()
  const dead = await aDeadProcess()
  await vi.waitFor(async () => expect(await isRemoved(dead)).toBe(true), recovery)
  expect([await answersAreOpen(processId), await answersAreOpen(dead)]).toEqual([true, true])
  await pool.query(`update buried_processes set answers_until = present() where id = $1`, [dead])
  expect(await answersAreOpen(dead)).toBe(false)
  await pool.query(`insert into processes (id, roles) values ($1, '{worker}')`, [dead])
  expect(await answersAreOpen(dead)).toBe(true)
  await liveness.close()
  expect(await answersAreOpen(processId)).toBe(false)
})

test('a stopped process counts as dead although it keeps its lock', { timeout: 30_000 }, async () => {
  const stopped = newId('proc')
  const holder = await pool.connect()
  await holder.query(`select pg_advisory_lock(hashtextextended('process:' || $1, 0))`, [stopped])
  await pool.query(`insert into processes (id, roles, heartbeat_at) values ($1, '{worker}', now() - interval '16 seconds')`, [stopped])
  await startHeartbeats()
  await vi.waitFor(async () => expect(await isRemoved(stopped)).toBe(true), recovery)
  const answersEnd = async () => {
    const { rows } = await pool.query<{ ends: boolean }>(`select answers_until < 'infinity' as ends from buried_processes where id = $1`, [
      stopped,
    ])
    return rows[0]?.ends
  }
  expect([await answersAreOpen(stopped), await answersEnd()]).toEqual([true, false])
  // As if it was killed, or PostgreSQL noticed that its host is gone.
  holder.release(true)
  await vi.waitFor(async () => expect(await answersEnd()).toBe(true), recovery)
})
