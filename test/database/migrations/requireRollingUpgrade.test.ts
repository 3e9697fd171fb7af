import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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
  await writeFile(join(folder, 'releases.json'), '{ "1.0.0": 1 }')
  await migrateDatabase(database.url, { log, folder })
  await client.connect()
  await writeFile(join(folder, '0002-next.sql'), next)
  return { client, check: () => requireRollingUpgrade(database.url, { log, folder }) }
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
