import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '../../../src/database/log.ts'
import { migrateDatabase, schemaVersion } from '../../../src/database/migrations/migrate.ts'
import { lockWaitMilliseconds } from '../../../src/database/migrations/migrationLock.ts'
import { watchIndexBuild } from '../../../src/database/migrations/watchIndexBuild.ts'
import type { ShowProgress } from '../../../src/database/progress.ts'
import { emptyDatabase, type TestDatabase } from '../../support/database/database.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const header = '-- outside a transaction\n'
const build = `${header}-- A comment; with a semicolon, and … letters of several bytes.\ncreate index concurrently words_by_text on words (text);`

let database: TestDatabase
let folder: string
let client: pg.Client
beforeEach(async () => {
  database = await emptyDatabase()
  folder = await mkdtemp(join(memoryFolder(), 'atelier-migrations-'))
  await file('0001-first.sql', "create table words (text text);\ninsert into words values ('one'), ('two')")
  await migrateDatabase(database.url, { log, folder })
  client = await connect()
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const file = (name: string, sql: string) => writeFile(join(folder, name), sql)
const migrate = (to = log) => migrateDatabase(database.url, { log: to, folder })

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client(database.url)
  connected.on('error', () => undefined)
  await connected.connect()
  onTestFinished(() => connected.end())
  return connected
}

/** Opens a transaction, for which every concurrent index build waits. */
async function openTransaction(): Promise<{ done(): Promise<unknown> }> {
  const user = await connect()
  await user.query('begin')
  await user.query("insert into words values ('three')")
  return { done: () => user.query('commit') }
}

const building = `select pid from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'
  and datname = current_database() and now() - query_start > $1::interval`

function untilBuilding(since = '0'): Promise<number> {
  return vi.waitFor(
    async () => {
      const { rows } = await client.query(building, [since])
      expect(rows).toHaveLength(1)
      return rows[0].pid
    },
    { timeout: 10_000, interval: 10 },
  )
}

async function indexes(): Promise<Record<string, boolean>> {
  const { rows } = await client.query(
    "select relname, indisvalid from pg_index join pg_class on oid = indexrelid where indrelid = 'words'::regclass order by relname",
  )
  return Object.fromEntries(rows.map(({ relname, indisvalid }) => [relname, indisvalid]))
}

test('an index is built while others write, without the timeouts of the role or the database', async () => {
  const { rows } = await client.query('select current_database() as name')
  await client.query(`alter database ${rows[0].name} set statement_timeout = '100ms'`)
  await file('0002-second.sql', build)
  const busy = await openTransaction()
  const migrating = migrate()
  await untilBuilding('1200ms')

  await client.query("set lock_timeout = '500ms'")
  await client.query("insert into words values ('four')")
  expect((await schemaVersion(client, folder)).current).toBe(false)
  await busy.done()
  await migrating
  expect(await indexes()).toEqual({ words_by_text: true })
  expect((await schemaVersion(client, folder)).current).toBe(true)
})

test('an invalid index of a killed run is built again by the next run', async () => {
  await file('0002-second.sql', `${build}\ncreate index concurrently words_by_length on words (length(text))`)
  const busy = await openTransaction()
  const dying = migrate()
  dying.catch(() => undefined)
  await client.query('select pg_terminate_backend($1)', [await untilBuilding()])
  await expect(dying).rejects.toThrow('the migration of 0002-second.sql failed')
  expect(await indexes()).toEqual({ words_by_text: false })
  expect((await schemaVersion(client, folder)).applied).toBe(1)

  await busy.done()
  await migrate()
  expect(await indexes()).toEqual({ words_by_length: true, words_by_text: true })
  expect((await schemaVersion(client, folder)).current).toBe(true)
})

test('of several processes that start at the same time one builds the index, and the others wait and log it', async () => {
  await file('0002-second.sql', build)
  const busy = await openTransaction()
  const logged: [object, string][] = []
  const waiting = { ...log, info: (fields: object, message: string) => logged.push([fields, message]) }
  const starts = [migrate(waiting), migrate(waiting), migrate(waiting)]
  const pid = await untilBuilding()
  await vi.waitFor(() => expect(logged.filter(([, message]) => message.startsWith('waiting for another'))).toHaveLength(2), {
    timeout: 10_000,
  })
  expect(logged).toContainEqual([
    expect.objectContaining({ pid, statement: expect.stringContaining('create index concurrently') }),
    'waiting for another process that migrates the database',
  ])
  await busy.done()
  await Promise.all(starts)
  expect(logged.filter(([, message]) => message === 'migration applied')).toHaveLength(1)
})

test('a process with nothing to apply does not wait', async () => {
  await client.query('select pg_advisory_lock(4271903119)')
  await migrate()
})

test('rows can be changed in batches with a commit each, and a crash repeats one batch at most', async () => {
  const portions = `do $$ begin
    loop
      update words set text = upper(text) where ctid = (select ctid from words where text <> upper(text) limit 1);
      exit when not found;
      commit;
      if (select count(*) = 1 from words where text <> upper(text)) and to_regclass('mended') is null then raise 'dead'; end if;
    end loop;
  end $$`
  await file('0002-second.sql', `${header}${portions};`)
  await expect(migrate()).rejects.toThrow('dead')
  expect((await client.query('select text from words order by text')).rows).toEqual([{ text: 'ONE' }, { text: 'two' }])
  await client.query('create table mended ()')
  await migrate()
  expect((await client.query('select text from words order by text')).rows).toEqual([{ text: 'ONE' }, { text: 'TWO' }])
})

test.each([
  ['an index that blocks writes', 'create index words_by_text on words (text)'],
  ['an index that may exist and be invalid', 'create index concurrently if not exists words_by_text on words (text)'],
  ['an index without a name', 'create index concurrently on words (text)'],
  ['a removal that cannot be repeated', 'drop index concurrently words_by_text'],
  ['a column', 'alter table words add column language text'],
  ['a constraint beside one that is validated', 'alter table words validate constraint short, add column language text'],
])('%s is refused outside a transaction, before any statement has run', async (_what, statement) => {
  await file('0002-second.sql', `${header}create index concurrently first on words (text);\n${statement}`)
  await expect(migrate()).rejects.toThrow(`the migration 0002-second.sql runs outside a transaction and may not contain "${statement}"`)
  expect(await indexes()).toEqual({})
})

test('a constraint is validated after a vacuum of the table, however long it takes, while rows are written', async () => {
  await client.query('alter table words add constraint short check (length(text) < 9) not valid')
  await file('0002-second.sql', `${header}alter table words validate constraint short`)
  const vacuum = await connect()
  await vacuum.query('begin; lock table words in share update exclusive mode')
  const warned: string[] = []
  const started = migrate({ ...log, warn: (_fields, words) => warned.push(words) })
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where query like 'alter table words validate%' and wait_event_type = 'Lock'
           and datname = current_database() and now() - query_start > $1 * interval '1 millisecond'`,
        [lockWaitMilliseconds + 100],
      )
      expect(rows).toHaveLength(1)
    },
    { timeout: 10_000, interval: 20 },
  )
  await client.query("insert into words values ('three')")
  await vacuum.query('commit')
  await started
  expect(warned).toEqual([])
  expect((await client.query('select convalidated from pg_constraint where conname = $1', ['short'])).rows).toEqual([
    { convalidated: true },
  ])
})

test('dropping an index and validating a constraint outside a transaction may be repeated', async () => {
  await client.query(
    'alter table words add constraint short check (length(text) < 9) not valid; create index words_by_text on words (text)',
  )
  const steps = 'drop index concurrently if exists words_by_text;\nalter table words validate constraint short'
  await file('0002-second.sql', `${header}${steps}`)
  await migrate()
  await file('0003-third.sql', `${header}${steps}; -- at the end`)
  await migrate()
  expect(await indexes()).toEqual({})
  expect((await client.query('select convalidated from pg_constraint')).rows).toContainEqual({ convalidated: true })
})

test('the build of an index shows its phases while it runs', async () => {
  const user = await openTransaction()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const phases: string[] = []
  const showProgress: ShowProgress = ({ label }) => {
    phases.push(label)
    return { add: () => undefined, end: () => phases.push(`after ${label}`) }
  }
  const stop = watchIndexBuild({ url: database.url, pid: rows[0]?.pid ?? 0, showProgress, everyMs: 10 })
  const built = client.query('create index concurrently words_by_text on words (text)')
  await expect.poll(() => phases).toContain('waiting for writers before build')
  await user.done()
  await built
  await stop()
  expect(phases.at(-1)).toMatch(/^after /)
})
