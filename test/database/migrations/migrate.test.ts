import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { migrateDatabase, schemaVersion } from '../../../src/database/migrations/migrate.ts'
import { migrationsFolder, readMigrationFiles } from '../../../src/database/migrations/migrationFiles.ts'
import { type BeginStep, noProgress } from '../../../src/database/progress.ts'
import { emptyDatabase, type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await emptyDatabase()
  folder = await mkdtemp(join(memoryFolder(), 'atelier-migrations-'))
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function connect(url = database.url): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

function file(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, name), sql)
}

test('eight processes that start at the same time on an empty database apply each migration once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(database.url, { log })))

  const client = await connect()
  const version = await schemaVersion(client)
  expect(version.current).toBe(true)
  expect(version.applied).toBe(version.needed)
  const { rows } = await client.query("select to_regclass('graphile_worker.migrations') is not null as queue from schema_migrations")
  expect(rows).toHaveLength((await readMigrationFiles(migrationsFolder)).length)
  expect(rows[0]).toEqual({ queue: true })
})

test('the test database is current', async () => {
  const migrated = await testDatabase()
  onTestFinished(() => migrated.drop())
  const client = new pg.Client(migrated.url)
  await client.connect()
  expect((await schemaVersion(client)).current).toBe(true)
  await client.end()
})

test('an empty database is not current, one of a newer release is', async () => {
  await file('0001-first.sql', 'create table first ()')
  const client = await connect()
  expect(await schemaVersion(client, folder)).toEqual({ applied: 0, needed: 1, current: false })

  await migrateDatabase(database.url, { log, folder })
  await client.query("insert into schema_migrations (version, name, checksum) values (7, '0007-later.sql', '')")
  expect(await schemaVersion(client, folder)).toEqual({ applied: 7, needed: 1, current: true })
  await migrateDatabase(database.url, { log, folder })
})

test('each pending migration is shown with its position until it has ended, also when it fails', async () => {
  await file('0001-words.sql', 'create table words (id integer)')
  await migrateDatabase(database.url, { log, folder })
  await file('0002-text.sql', 'alter table words add column text text')
  await file('0003-fails.sql', 'select 1 / 0')
  const shown: string[] = []
  const beginStep: BeginStep = (label) => {
    shown.push(label)
    return { showProgress: noProgress, end: () => shown.push('end') }
  }
  await expect(migrateDatabase(database.url, { log, folder, beginStep })).rejects.toThrow('0003-fails.sql')
  expect(shown).toEqual(['0002-text.sql (1 of 2)', 'end', '0003-fails.sql (2 of 2)', 'end'])
})

test('a migration that fails is rolled back and named, and those before it stay', async () => {
  await file('0001-first.sql', 'create table first ()')
  await file('0002-second.sql', 'create table second ();\nselect 1 / 0;')
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow('the migration of 0002-second.sql failed: division by zero')

  const client = await connect()
  const { rows } = await client.query("select to_regclass('first') is not null as first, to_regclass('second') is not null as second")
  expect(rows).toEqual([{ first: true, second: false }])

  await file('0002-second.sql', 'create table second ()')
  await migrateDatabase(database.url, { log, folder })
  expect(await schemaVersion(client, folder)).toEqual({ applied: 2, needed: 2, current: true })
})

test.each([
  ['changed', '0001-first.sql was changed', async () => file('0001-first.sql', 'create table other ()')],
  ['removed', 'has the migration 0001-first.sql, whose file is missing', async () => rm(join(folder, '0001-first.sql'))],
])('an applied file that was %s prevents the start and is named', async (_, words, change) => {
  await file('0001-first.sql', 'create table first ()')
  await file('0002-second.sql', 'create table second ()')
  await migrateDatabase(database.url, { log, folder })
  await change()
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow(words)
})

test('other line ends do not change the checksum of a file', async () => {
  await file('0001-first.sql', 'create table first (\n)')
  await migrateDatabase(database.url, { log, folder })
  await file('0001-first.sql', 'create table first (\r\n)')
  await expect(migrateDatabase(database.url, { log, folder })).resolves.toBe(0)
})

test('a new file with a number before an applied one is refused', async () => {
  await file('0001-first.sql', 'create table first ()')
  await file('0003-third.sql', 'create table third ()')
  await migrateDatabase(database.url, { log, folder })
  await file('0002-second.sql', 'create table second ()')
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow('0002-second.sql comes before one that is applied')
})

test.each([
  ['first.sql', 'first.sql is not named like'],
  ['0001-also.sql', 'two migrations have the number 0001'],
])('the file name %s beside 0001-first.sql is refused before the database is touched', async (name, words) => {
  await file('0001-first.sql', '')
  await file(name, '')
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow(words)
})

test('a migration of a table in use retries, and requests do not queue behind it', async () => {
  await file('0001-first.sql', 'create table busy ()')
  await migrateDatabase(database.url, { log, folder })
  const user = await connect()
  await user.query('begin')
  await user.query('select from busy')
  await file('0002-second.sql', 'alter table busy add column word text')

  const gaveWay = Promise.withResolvers<object>()
  const migrating = migrateDatabase(database.url, { log: { ...log, warn: (fields) => gaveWay.resolve(fields) }, folder })
  expect(await gaveWay.promise).toEqual({ migration: '0002-second.sql', attempt: 1 })
  await user.query('commit')
  await migrating
  expect((await schemaVersion(user, folder)).current).toBe(true)
})

test('a database that cannot be reached is an error in one line without the password', async () => {
  const error = await migrateDatabase('postgresql://someone:hidden@127.0.0.1:1/none', { log }).catch((thrown: unknown) => thrown)
  expect((error as Error).message).toBe('the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1')
})

const answer = (value: number) => `create or replace function answer() returns integer language sql as 'select ${value}'`

async function answered(): Promise<number> {
  const client = await connect()
  return (await client.query('select answer() as value')).rows[0].value
}

test('a function is applied again when its file has changed, but not by an older release', async () => {
  await mkdir(join(folder, 'functions'))
  await file('0001-first.sql', 'create table first ()')
  await file('functions/answer.sql', answer(1))
  await migrateDatabase(database.url, { log, folder })
  expect(await answered()).toBe(1)

  await file('0002-second.sql', 'create table second ()')
  await file('functions/answer.sql', answer(2))
  await migrateDatabase(database.url, { log, folder })
  expect(await answered()).toBe(2)

  await rm(join(folder, '0002-second.sql'))
  await file('functions/answer.sql', answer(1))
  await migrateDatabase(database.url, { log, folder })
  expect(await answered()).toBe(2)
})

test('a function that fails leaves all functions unchanged, and a file that does not define its function is named', async () => {
  await mkdir(join(folder, 'functions'))
  await file('0001-first.sql', 'create table first ()')
  await file('functions/answer.sql', answer(1))
  await migrateDatabase(database.url, { log, folder })

  await file('functions/answer.sql', answer(2))
  await file('functions/broken.sql', 'create or replace function broken() returns integer language sql as nothing')
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow('the migration of the functions failed')
  expect(await answered()).toBe(1)

  await file('functions/broken.sql', answer(3))
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow('functions/broken.sql')
})

const baseline = `-- baseline: replaces the migrations up to 0002, which release 1.0.0 ended with
create table first ();
create table second ();`

/** Applies two migrations, then replaces their files by a baseline and a third migration. */
async function aBaselineAfter(upTo: number): Promise<void> {
  await file('0001-first.sql', 'create table first ()')
  await file('0002-second.sql', 'create table second ()')
  await migrateDatabase(database.url, { log, folder, upTo })
  await Promise.all(['0001-first.sql', '0002-second.sql'].map((name) => rm(join(folder, name))))
  await file('0001-baseline.sql', baseline)
  await file('0003-third.sql', 'create table third ()')
}

const appliedNames = async () =>
  (await (await connect()).query('select name from schema_migrations order by version')).rows.map(({ name }) => name)

test('a database with all migrations that a baseline replaces applies only the files after the baseline', async () => {
  await aBaselineAfter(2)
  await migrateDatabase(database.url, { log, folder })
  expect(await appliedNames()).toEqual(['0001-first.sql', '0002-second.sql', '0003-third.sql'])
  expect(await schemaVersion(await connect(), folder)).toEqual({ applied: 3, needed: 3, current: true })
  await migrateDatabase(database.url, { log, folder })
})

test('a database with only some of them is refused with the release to upgrade to first', async () => {
  await aBaselineAfter(1)
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow(
    'the database is at 1, and release 1.0.0 ended with 2: upgrade it to 1.0.0 first',
  )
})

test('an empty database starts with the baseline, which may not change afterwards', async () => {
  await aBaselineAfter(0)
  await migrateDatabase(database.url, { log, folder })
  expect(await appliedNames()).toEqual(['0001-baseline.sql', '0003-third.sql'])
  await file('0001-baseline.sql', `${baseline}\ncreate table fourth ();`)
  await expect(migrateDatabase(database.url, { log, folder })).rejects.toThrow('0001-baseline.sql was changed')
})
