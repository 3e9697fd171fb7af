import pg from 'pg'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { keepAlive } from '../../src/database/liveness.ts'
import { testDatabase } from '../support/database.ts'
import { gateTo } from '../support/gate.ts'

const database = await testDatabase()
const pool = new pg.Pool({ connectionString: database.url, max: 3 })
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const log = { debug() {}, info() {}, warn() {}, error() {} }
const recovery = { timeout: 15_000, interval: 10 }

async function alive(url = database.url, processId = newId('proc')) {
  const liveness = await keepAlive({ url, processId, roles: ['http'], log, lookMs: 50 })
  onTestFinished(() => liveness.close())
  return { processId, liveness }
}

async function livingIds(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`select id from processes where heartbeat_at > now() - interval '3 seconds'`)
  return rows.map(({ id }) => id)
}

async function nextBeat(id: string): Promise<void> {
  const read = async () => String((await pool.query('select heartbeat_at::text as at from processes where id = $1', [id])).rows[0]?.at)
  const before = await read()
  await vi.waitFor(async () => expect(await read()).not.toBe(before), recovery)
}

async function slotsOf(subject: string): Promise<unknown> {
  return (await pool.query('select in_progress from request_counts where subject = $1', [subject])).rows[0]?.in_progress
}

/** A process that was killed: its row stands, and nobody holds its lock. */
async function aDeadProcess(): Promise<string> {
  const id = newId('proc')
  await pool.query(`insert into processes (id, roles) values ($1, '{http}')`, [id])
  return id
}

test('what a killed process held is free within seconds, and what others hold stays', async () => {
  const { processId } = await alive()
  const dead = await aDeadProcess()
  const slots = JSON.stringify({ [dead]: 32, [processId]: 2 })
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values ('user:a', 0, 0, $1)`, [slots])
  await vi.waitFor(async () => expect(await slotsOf('user:a')).toEqual({ [processId]: 2 }), recovery)
})

test('a process that ends in good order leaves no slot behind', async () => {
  const { processId, liveness } = await alive()
  const slots = JSON.stringify({ [processId]: 3, other: 1 })
  await pool.query(`insert into request_counts (subject, window_start, requests, in_progress) values ('user:b', 0, 0, $1)`, [slots])
  await liveness.close()
  expect(await slotsOf('user:b')).toEqual({ other: 1 })
})

test('a process is heard again after its connection was cut', async () => {
  const gate = await gateTo(database.url)
  const { processId } = await alive(gate.url)
  gate.hangUp()
  await pool.query(`update processes set heartbeat_at = now() - interval '1 hour' where id = $1`, [processId])
  await vi.waitFor(async () => expect(await livingIds()).toContain(processId), recovery)
})

test('a connection that went silent, and holds the lock at its other end, keeps nobody from being heard again', {
  timeout: 40_000,
}, async () => {
  const gate = await gateTo(database.url)
  const { processId } = await alive(gate.url)
  gate.fallSilent()
  await pool.query(`update processes set heartbeat_at = now() - interval '1 hour' where id = $1`, [processId])
  await vi.waitFor(async () => expect(await livingIds()).toContain(processId), recovery)
})

test('after an outage nobody is taken for dead before there was time to be heard', async () => {
  const [gate, other] = [await gateTo(database.url), await gateTo(database.url)]
  const first = await alive(gate.url)
  const second = await alive(other.url)
  const unheard = aDeadProcess()
  gate.hangUp()
  other.hangUp()
  const ids = [first.processId, second.processId, await unheard]
  await vi.waitFor(async () => expect(await livingIds()).toEqual(expect.arrayContaining(ids.slice(0, 2))), recovery)
  for (let beats = 0; beats < 6; beats++) await nextBeat(first.processId)
  const { rows } = await pool.query<{ id: string }>('select id from processes where id = any($1)', [ids])
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})
