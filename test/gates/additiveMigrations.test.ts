import { afterAll, expect, test } from 'vitest'
import { findBreakingChanges, readSchemaShape } from '../../scripts/check/schemaShape.ts'
import { version } from '../../src/cli/version.ts'
import { migrateDatabase } from '../../src/database/migrations/migrate.ts'
import { type MigrationFile, migrationsFolder, readMigrationFiles } from '../../src/database/migrations/migrationFiles.ts'
import { planMigration, plannedMigration } from '../../src/database/migrations/migrationPlan.ts'
import { readReleases, removalsOf } from '../../src/database/migrations/releases.ts'
import { testPool } from '../support/database/database.ts'
import { releasedDatabase, upgradedDatabase } from '../support/rollout/releasedDatabase.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const [released, upgraded] = await Promise.all([releasedDatabase(), upgradedDatabase()])
const [before, pool] = [testPool(released.url, 1), testPool(upgraded.url, 1)]
afterAll(async () => {
  await Promise.all([before.end(), pool.end()])
  await Promise.all([released.drop(), upgraded.drop()])
})

const releases = await readReleases(migrationsFolder)
const previous = releases.at(-1)
const newer = (await readMigrationFiles(migrationsFolder)).filter((file) => file.version > (previous?.newest ?? 0))
const announced = newer.flatMap(removalsOf)

function aMigration(sql: string): MigrationFile {
  return { version: 9999, name: '9999-tried.sql', sql, checksum: '' }
}

test('an upgrade keeps everything that the previous release uses, except announced removals of unused objects', async () => {
  const missed = findBreakingChanges(await readSchemaShape(before), await readSchemaShape(pool))
  expect(missed.filter((what) => !announced.some((removal) => removal.what === what))).toEqual([])
})

test('a removal names the released version since which the object is unused', () => {
  expect(announced.filter(({ since }) => !releases.some((release) => release.version === since))).toEqual([])
})

test('every statement of a new migration has known locks', async () => {
  const made = new Set<string>()
  for (const file of newer) await plannedMigration(file, made)
})

test('an upgrade that stops after any migration can go on beside processes of the previous release', async () => {
  const stopped = await releasedDatabase()
  const one = testPool(stopped.url, 1)
  const client = await one.connect()
  try {
    for (const { name, version: upTo } of newer) {
      await migrateDatabase(stopped.url, { log, upTo })
      const { missed } = await planMigration(client, migrationsFolder)
      expect([name, missed]).toEqual([name, []])
    }
  } finally {
    client.release()
    await one.end()
    await stopped.drop()
  }
})

test('the version of this code is not among the released versions', () => {
  expect(releases.map((release) => release.version)).not.toContain(version)
})

test.each([
  ['a column', 'alter table api_keys drop column prefix', 'removes column api_keys.prefix'],
  ['a type', 'alter table files alter column size_bytes type numeric', 'removes column files.size_bytes'],
  ['a table', 'drop table quotes cascade', 'removes table quotes'],
  ['a name', 'alter table quotes rename column price to cost', 'removes column quotes.price'],
  ['a function', 'drop function utc_day(timestamptz)', 'removes function utc_day(timestamp with time zone)'],
  ['a unique constraint', 'alter table files drop constraint files_pkey', 'removes unique files (id)'],
  ['a trigger', 'drop trigger sum_to_zero on ledger_entries', 'removes trigger sum_to_zero on ledger_entries'],
  ['nullability', 'alter table files alter column mime_type set not null', 'narrows files'],
  ['inserts without a new column', 'alter table files add column tried text not null', 'narrows files'],
  ['an allowed value', `alter table files add constraint tried check (size_bytes < 9)`, 'narrows files'],
  ['allowed duplicates', 'create unique index tried on files (owner_id)', 'narrows files'],
])('a migration that removes %s is reported', async (_what, sql, reported) => {
  const client = await pool.connect()
  try {
    const before = await readSchemaShape(client)
    await client.query('begin')
    await client.query(sql)
    expect(findBreakingChanges(before, await readSchemaShape(client))).toContain(reported)
    await client.query('rollback')
  } finally {
    client.release()
  }
})

test('an additive migration is not a breaking change', async () => {
  const client = await pool.connect()
  try {
    const before = await readSchemaShape(client)
    await client.query('begin')
    await client.query(
      `alter table files add column tried text not null default '', add column noted text; create table tried (id text primary key check (id <> ''))`,
    )
    expect(findBreakingChanges(before, await readSchemaShape(client))).toEqual([])
    await client.query('rollback')
  } finally {
    client.release()
  }
})

test('removals are read from comment lines, and a new table with the name of a renamed one is not a removal', async () => {
  expect(removalsOf({ sql: '-- removes column t.c: unused since 0.1.0\nselect 1' })).toEqual([
    { what: 'removes column t.c', since: '0.1.0' },
  ])
  const swap = 'alter table files rename to files_first; create table files (id text)'
  expect((await plannedMigration(aMigration(swap), new Set())).breakingChanges).toEqual([])
  expect((await plannedMigration(aMigration('drop table files'), new Set())).breakingChanges).toEqual(['removes table files'])
  await expect(plannedMigration(aMigration('create extension hstore'), new Set())).rejects.toThrow('unknown kind of statement')
})
