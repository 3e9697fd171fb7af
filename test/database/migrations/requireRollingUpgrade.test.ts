import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { requireRollingUpgrade } from '../../../src/database/migrations/requireRollingUpgrade.ts'
import { emptyDatabase } from '../../support/database/database.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const first = `create table processes (id text primary key, heartbeat_at timestamptz not null default now());
create table words (id integer primary key, text text);`

/** A database at release 1.0.0, and the next migration. Returns the check of that migration. */
async function anUpgrade(next: string) {
  const [database, folder] = await Promise.all([emptyDatabase(), mkdtemp(join(memoryFolder(), 'atelier-migrations-'))])
  const client = new pg.Client(database.url)
  onTestFinished(async () => {
    await client.end()
    await Promise.all([database.drop(), rm(folder, { recursive: true })])
  })
  await writeFile(join(folder, '0001-words.sql'), first)
  await mkdir(join(folder, 'functions'))
  await writeFile(join(folder, 'releases.json'), '{ "1.0.0": 1 }')
  await migrateDatabase(database.url, { log, folder })
  await client.connect()
  await writeFile(join(folder, '0002-next.sql'), next)
  const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
  const migrate = (upTo?: number) => migrateDatabase(database.url, { log, folder, ...(upTo === undefined ? {} : { upTo }) })
  return { client, write, migrate, check: () => requireRollingUpgrade(database.url, { log, folder }) }
}

test('a migration that a running process would not survive is refused with what that process would miss', async () => {
  const { client, check } = await anUpgrade('alter table words drop column text')
  await client.query(`insert into processes values ('a')`)
  await expect(check()).rejects.toThrow(
    '1 running process of 1.0.0 would fail after this migration, because it removes column words.text: stop them first, or run `atelier migrate --allow-downtime`',
  )
})

test('the same migration passes when no process runs, also beside rows of processes that ended long ago', async () => {
  const { client, check } = await anUpgrade('alter table words drop column text')
  await check()
  await client.query(`insert into processes values ('a', now() - interval '1 minute')`)
  await check()
})

test('a migration that only adds passes beside running processes', async () => {
  const { client, check } = await anUpgrade('alter table words add column language text')
  await client.query(`insert into processes values ('a')`)
  await check()
})

test('an upgrade that is under way or was interrupted is judged as before its start', async () => {
  const { client, write, migrate, check } = await anUpgrade('create table notes (text text)')
  await write('0003-unused.sql', '-- removes column words.text: unused since 1.0.0\nalter table words drop column text;')
  await write('0004-notes.sql', 'alter table notes alter column text set not null')
  await client.query(`insert into processes values ('a')`)
  await check()
  await migrate(2)
  await check()
  await write('0005-missed.sql', 'drop table words')
  await expect(check()).rejects.toThrow('because it removes table words:')
})

test('what a finished upgrade to an unpublished version made is in use, so its removal is refused', async () => {
  const { client, write, migrate, check } = await anUpgrade('create table notes (text text)')
  await write('functions/words_of.sql', 'create or replace function words_of() returns integer language sql return 1')
  await migrate()
  await write('0003-removed.sql', 'drop table notes')
  await client.query(`insert into processes values ('a')`)
  await expect(check()).rejects.toThrow('because it removes table notes:')
})
