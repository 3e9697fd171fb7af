import { afterAll, beforeEach, expect, test } from 'vitest'
import { contextFor } from '../../src/domain/context.ts'
import { watchClock } from '../../src/domain/maintenance/watchClock.ts'
import { partitionedTables } from '../../src/domain/partitionedTables.ts'
import { makePartitions } from '../../src/domain/partitions/makePartitions.ts'
import { routineNames } from '../../src/domain/routines.ts'
import { bindSql } from '../../src/domain/sql.ts'
import { metricQueries } from '../../src/metrics/deploymentMetrics.ts'
import { testServices } from '../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const { pool } = services

const figuresOf = async (name: string): Promise<Record<string, number>> => {
  const source = metricQueries.find(({ metrics }) => metrics.some((figure) => figure.name === name))
  if (!source) throw new Error(`no source exports ${name}`)
  const rows = (await bindSql(pool).all(source.read, [])).filter(({ figure }) => figure === name)
  return Object.fromEntries(rows.map(({ label, value }) => [label ?? '', value]))
}

const day = 24 * 3_600_000

beforeEach(async () => {
  // New partitions continue after those of the migrations, by the clock of the machine.
  await clock.set(new Date())
  await makePartitions(contextFor(services, { kind: 'system' }))
})

test('each table reports its existing partitions for coming months or weeks, and 0 once there are none', async () => {
  const names = [...partitionedTables].toSorted()
  const ready = await figuresOf('atelier_partitions_ahead')
  expect(Object.keys(ready).toSorted()).toEqual(names)
  expect(Math.min(...Object.values(ready))).toBeGreaterThanOrEqual(2)
  await clock.advance(100 * day)
  expect(await figuresOf('atelier_partitions_ahead')).toEqual(Object.fromEntries(names.map((name) => [name, 0])))
})

test('partitions after a missing one do not count', async () => {
  const { rows } = await pool.query(`select p.partition_name as name from partitions_of('generations') p
    where p.from_id > first_id('gen', present()) order by p.from_id limit 1`)
  const ahead = async () => (await figuresOf('atelier_partitions_ahead'))['generations'] ?? Number.NaN
  const before = await ahead()
  await clock.advance(62 * day)
  await makePartitions(contextFor(services, { kind: 'system' }))
  await clock.advance(-62 * day)
  expect(await ahead()).toBeGreaterThan(before)
  await pool.query(`begin; alter table generations detach partition ${rows[0]?.name}`)
  await pool.query(`drop table ${rows[0]?.name}; commit`)
  expect(await ahead()).toBeLessThan(before)
})

test('a clock jump is reported with its size, until the clock is trusted', async () => {
  const context = contextFor(services, { kind: 'system' })
  await watchClock(context)
  expect(await figuresOf('atelier_clock_ahead_seconds')).toEqual({ '': 0 })
  await clock.advance(100 * day)
  await watchClock(context)
  expect(await figuresOf('atelier_clock_ahead_seconds')).toEqual({ '': (100 * day) / 1000 })
})

test('a row in a default partition is reported with its table', async () => {
  expect(new Set(Object.values(await figuresOf('atelier_default_partition_rows')))).toEqual(new Set([0]))
  await pool.query(
    `insert into webhook_attempts (delivery_id, number, begun_at, took_seconds)
       select first_id('evt', present() + interval '3 years'), 1, present(), 0`,
  )
  expect(await figuresOf('atelier_default_partition_rows')).toMatchObject({ webhook_attempts: 1, generations: 0 })
})

test('the age of the last complete backup is reported, and no value without one', async () => {
  expect(await figuresOf('atelier_backup_age_seconds')).toEqual({})
  await pool.query(`insert into backups (name, target, started_at, held_until) values ('cut', 't', present(), present())`)
  expect(await figuresOf('atelier_backup_age_seconds')).toEqual({})
  await pool.query(`insert into backups (name, target, started_at, held_until, finished_at) values
    ('one', 't', present() - interval '3 days', present(), present() - interval '2 days'),
    ('two', 't', present() - interval '25 hours', present(), present() - interval '1 day')`)
  expect(await figuresOf('atelier_backup_age_seconds')).toEqual({ '': 25 * 3600 })
})

test('each routine reports the time since its last success, or since it was added', async () => {
  await pool.query(`update routines set added_at = present() - interval '1 hour', ended_at = null`)
  await pool.query(`update routines set ended_at = present() - interval '2 minutes' where name = 'reconcile'`)
  await pool.query(`insert into routines (name, added_at) values ('ofAnotherRelease', present())`)
  const ages = await figuresOf('atelier_routine_age_seconds')
  expect(ages).toEqual(Object.fromEntries(routineNames.map((name) => [name, name === 'reconcile' ? 120 : 3600])))
})

test('no metric of the ledger reads the rows of every account', async () => {
  await pool.query(`insert into ledger_recounts (account_id, through_id, available, held, drift, recounted_at)
    select 'acc_' || n, 1, 0, 0, case when n < 3 then 1 else 0 end, present() from generate_series(1, 20000) as n`)
  await pool.query('analyze ledger_recounts')
  const { read } = metricQueries.find(({ metrics }) => metrics.some(({ name }) => name.startsWith('atelier_ledger'))) ?? { read: undefined }
  const { rows } = await pool.query(`explain ${read?.text}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('ledger_recounts_drifting')
  expect(plan).not.toContain('Seq Scan on ledger_recounts')
  expect(await figuresOf('atelier_ledger_drift_accounts')).toEqual({ '': 2 })
})
