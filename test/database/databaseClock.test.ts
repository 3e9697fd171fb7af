import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabaseClock } from '../../src/database/databaseClock.ts'
import { testDatabase, testPool } from '../support/database/database.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

async function aPool(): Promise<pg.Pool> {
  const database = await testDatabase()
  const pool = testPool(database.url, 2)
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  return pool
}

async function aClock(pool: Pick<pg.Pool, 'query'>) {
  const clock = await openDatabaseClock(pool, { log, everyMs: 5 })
  onTestFinished(clock.close)
  return clock
}

/** Reads the database's time before and after `ask`. */
async function bounds(pool: pg.Pool, ask: () => Date): Promise<[before: number, asked: number, after: number]> {
  const read = async () => Number((await pool.query('select extract(epoch from clock_timestamp()) * 1000 as ms')).rows[0]?.ms)
  return [await read(), ask().getTime(), await read()]
}

test('the time is that of the database, also if the wall clock of the process is wrong or jumps', async () => {
  const pool = await aPool()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-01-01T00:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const clock = await aClock(pool)
  for (const jump of ['2031-01-01T00:00:00Z', '1999-12-31T00:00:00Z']) {
    vi.setSystemTime(jump)
    const [before, asked, after] = await bounds(pool, () => clock.now())
    // A reading does not show how its round trip was split between request and response.
    expect(asked).toBeGreaterThan(before - 1000)
    expect(asked).toBeLessThan(after + 1000)
  }
})

test('the estimate follows a database whose clock is corrected', async () => {
  const pool = await aPool()
  const clock = await aClock(pool)
  const moment = new Date('2026-05-05T05:05:05.000Z')
  await pool.query(
    `create or replace function present() returns timestamptz language sql stable as $$ select '${moment.toISOString()}'::timestamptz $$`,
  )
  await vi.waitFor(() => expect(Math.abs(clock.now().getTime() - moment.getTime())).toBeLessThan(1000), { timeout: 10_000, interval: 5 })
})

test('the estimate continues while the database is unreachable', async () => {
  const pool = await aPool()
  let answers = true
  const asked = vi.fn<() => void>()
  const query = ((...values: Parameters<pg.Pool['query']>) => {
    asked()
    return answers ? pool.query(...values) : Promise.reject(new Error('unreachable'))
  }) as pg.Pool['query']
  const clock = await aClock({ query })
  const first = clock.now()
  answers = false
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(5), { timeout: 10_000, interval: 5 })
  expect(clock.now().getTime()).toBeGreaterThan(first.getTime())
})
