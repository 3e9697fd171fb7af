import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/database/embedded/embeddedPostgres.ts'
import { migrateDatabase, schemaVersion } from '../../../src/database/migrations/migrate.ts'
import { testPool } from '../../support/database/database.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

test('an autovacuum that blocks a migration is ended, and the migration is applied', async () => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-vacuum-'))
  const migrations = await mkdtemp(join(memoryFolder(), 'atelier-migrations-'))
  const settings = { autovacuum: 'on', autovacuum_naptime: '1s', fsync: 'off' }
  const programs = process.env['TEST_POSTGRES_PROGRAMS'] || undefined
  const postgres = await startEmbeddedPostgres({ folder, settings, programs, log })
  const pool = testPool(postgres.url, 1)
  onTestFinished(async () => {
    await pool.end()
    await postgres.stop()
    await Promise.all([folder, migrations].map((each) => rm(each, { recursive: true })))
  })
  const slowly = 'autovacuum_vacuum_insert_threshold = 1, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1'
  await pool.query(`create table large (word text) with (${slowly})`)
  await pool.query(`insert into large select repeat('x', 1000) from generate_series(1, 10000)`)
  const vacuums = async () => (await pool.query('select pid from pg_stat_progress_vacuum')).rows
  await vi.waitFor(async () => expect(await vacuums()).toHaveLength(1), { timeout: 20_000, interval: 50 })

  await writeFile(join(migrations, '0001-first.sql'), 'alter table large add column length integer')
  await migrateDatabase(postgres.url, { log, folder: migrations })
  expect((await schemaVersion(pool, migrations)).current).toBe(true)
})
