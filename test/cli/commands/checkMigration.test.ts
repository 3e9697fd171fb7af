import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { linesOf } from '../../../src/cli/commands/checkMigration.ts'
import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { planMigration, readMigrationPlan } from '../../../src/database/migrations/migrationPlan.ts'
import { requireSameDatabase } from '../../../src/database/pool/poolerChecks.ts'
import { emptyDatabase, testDatabase } from '../../support/database/database.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const words =
  'create table words (id integer primary key, text text not null);\ninsert into words select n, n from generate_series(1, 1000) as n;'

/** Creates a database at release 1.0.0 with one table, and a folder for further migrations. */
async function aRelease() {
  const [database, folder] = await Promise.all([emptyDatabase(), mkdtemp(join(memoryFolder(), 'atelier-migrations-'))])
  await writeFile(join(folder, '0001-words.sql'), words)
  await writeFile(join(folder, 'releases.json'), '{ "1.0.0": 1 }')
  await migrateDatabase(database.url, { log, folder })
  const client = new pg.Client(database.url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await Promise.all([database.drop(), rm(folder, { recursive: true })])
  })
  await client.query('analyze words; set default_transaction_read_only = on')
  return {
    planWith: async (sql: string) => {
      await writeFile(join(folder, '0002-next.sql'), sql)
      return planMigration(client, folder)
    },
    another: (name: string, sql: string) => writeFile(join(folder, name), sql),
  }
}

test('additions are listed with their locks and table sizes, and running processes may continue', async () => {
  const { planWith, another } = await aRelease()
  await another('0003-index.sql', '-- outside a transaction\ncreate index concurrently words_by_text on words (text);')
  const plan = await planWith(
    'alter table words add column language text; create table languages (id text); create index on languages (id);',
  )
  expect(plan.missed).toEqual([])
  const size = '(about 1,000 rows, 0.1 MiB)'
  expect(linesOf(plan).slice(1)).toEqual([
    '',
    '0002-next.sql',
    `  adds column words.language: ACCESS EXCLUSIVE on words ${size}, for a moment`,
    '  adds table languages',
    '  adds index without a name to languages',
    '',
    '0003-index.sql, outside a transaction',
    `  adds index words_by_text to words, concurrently: SHARE UPDATE EXCLUSIVE on words ${size}, while all rows are read`,
    '',
    'no functions change',
    'Processes of 1.0.0 go on: yes',
  ])
})

test.each([
  ['alter table words drop column text', 'removes column words.text'],
  ['alter table words rename to sentences', 'removes table words'],
  ['alter table words add column language text not null', 'narrows words'],
])('%s: running processes must stop first, unless the removal is declared', async (sql, what) => {
  const { planWith } = await aRelease()
  const plan = await planWith(sql)
  expect(plan.missed).toEqual([what])
  expect(linesOf(plan).slice(-2)).toEqual(['Processes of 1.0.0 go on: no, stop them first', `  the release ${what}`])
  expect((await planWith(`-- ${what}: unused since 1.0.0\n${sql}`)).missed).toEqual([])
  expect((await planWith(`-- ${what}: unused since 1.1.0\n${sql}`)).missed).toEqual([what])
})

test('the command reads a database without changes, and exits with 0 if there is nothing to do', { timeout: 120_000 }, async () => {
  const [current, empty] = await Promise.all([testDatabase(), emptyDatabase()])
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-check-'))
  onTestFinished(async () => {
    await Promise.all([current.drop(), empty.drop(), rm(folder, { recursive: true })])
  })
  const check = async (DATABASE_URL: string) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL, DATA_DIR: folder, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
    return (await promisify(execFile)(process.execPath, ['src/cli/main.ts', 'migrate', '--check'], { env })).stdout
  }
  expect(await check(current.url)).toContain('nothing to do')
  expect(await check(empty.url)).toContain('The database is empty')
  const client = new pg.Client(empty.url)
  await client.connect()
  expect((await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount).toBe(0)
  await client.end()
})

test('a lock statement is listed with its lock mode', async () => {
  const { planWith } = await aRelease()
  const plan = await planWith('lock table words in share row exclusive mode; lock table words;')
  expect(
    linesOf(plan)
      .filter((line) => line.startsWith('  locks'))
      .map((line) => line.split(' (')[0]),
  ).toEqual(['  locks: SHARE ROW EXCLUSIVE on words', '  locks: ACCESS EXCLUSIVE on words'])
})

test('an unreachable database is reported with the reason for every address', async () => {
  const unreachable = 'postgres://nobody@localhost:1/none'
  const reason = /^the database cannot be reached: connect E\w+ \S+:1(, connect E\w+ \S+:1)*$/
  await expect(readMigrationPlan(unreachable)).rejects.toThrow(reason)
  await expect(requireSameDatabase({ query: () => Promise.reject(new Error('not asked')) }, unreachable)).rejects.toThrow(reason)
})
