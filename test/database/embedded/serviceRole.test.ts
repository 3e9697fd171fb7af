import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createCluster, folderArgument } from '../../../src/database/embedded/createCluster.ts'
import { startEmbeddedPostgres } from '../../../src/database/embedded/embeddedPostgres.ts'
import { postgresAccount } from '../../../src/database/embedded/postgresAccount.ts'
import { postgresBinaries } from '../../../src/database/embedded/postgresBinaries.ts'
import { launchPostgres } from '../../../src/database/embedded/postgresProcess.ts'
import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { memoryFolder } from '../../support/processes/memoryFolder.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const settings = { fsync: 'off' }
const parent = await mkdtemp(join(memoryFolder(), 'atelier-role-'))
afterAll(() => rm(parent, { recursive: true, force: true }))

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const result = await client.query(sql)
    return result.rows
  } finally {
    await client.end()
  }
}

const rights = `select current_user as name, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
  from pg_roles where rolname = current_user`
const owner = {
  name: 'atelier',
  rolsuper: false,
  rolcreaterole: false,
  rolcreatedb: false,
  rolreplication: false,
  rolbypassrls: false,
}

/** Everything outside the catalogs that another role owns. */
const foreignObjects = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_get_userbyid(c.relowner) <> current_user
  union all select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_get_userbyid(p.proowner) <> current_user
  union all select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_get_userbyid(t.typowner) <> current_user
  union all select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
    and pg_get_userbyid(nspowner) <> current_user`

test('the role of the service owns the database and has no rights beyond it', async () => {
  const postgres = await startEmbeddedPostgres({ folder: join(parent, 'new'), settings, log })
  try {
    await migrateDatabase(postgres.url, { log })
    expect(await query(postgres.url, rights)).toEqual([owner])
    expect(await query(postgres.url, foreignObjects)).toEqual([])
    for (const beyond of [
      `copy (select 1) to program 'true'`,
      `select pg_read_file('PG_VERSION')`,
      'create role other superuser',
      'create database other',
      'alter system set log_statement = none',
      'select passwd from pg_shadow',
      'set role atelier_superuser',
    ]) {
      await expect(query(postgres.url, beyond)).rejects.toThrow(/permission denied|must be superuser/)
    }
  } finally {
    await postgres.stop()
  }
})

test('the folder and all files in it are accessible to the account of the service only', async () => {
  const folder = join(parent, 'new')
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ folder, settings, log })
  await postgres.stop()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'cluster'))).mode & 0o077).toBe(0)
  for (const name of ['password', 'superuser-password', 'port', 'holder.pid']) {
    expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600])
  }
  const { stdout } = await promisify(execFile)('find', [join(folder, 'cluster'), '-perm', '/077'])
  expect(stdout).toBe('')
})

/** Creates a folder as earlier releases did, whose service was the superuser. */
async function formerFolder(): Promise<string> {
  const folder = await mkdtemp(join(parent, 'former-'))
  const cluster = join(folder, 'cluster')
  const account = await postgresAccount(cluster)
  const binaries = await postgresBinaries({ account, ownFolder: folder })
  await writeFile(join(folder, 'password'), 'a-password\n', { mode: 0o600 })
  await createCluster({ folder, cluster, binaries, account, userName: 'atelier', password: 'a-password' })
  await chmod(folder, 0o711)
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const own = { ...settings, listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) }
  const clusterArgument = folderArgument(cluster, account)
  const { signal } = new AbortController()
  const running = await launchPostgres({ postgres: binaries.postgres, cluster, clusterArgument, account, settings: own, log, signal })
  try {
    const url = `postgresql://atelier:a-password@127.0.0.1:${port}/postgres`
    await migrateDatabase(url, { log })
    await query(url, "create table kept (id serial primary key, word text); insert into kept (word) values ('ärger')")
    await query(url, 'create type odd as enum (\'a\'); create type "Odd pair" as (a odd, b int); create view seen as select word from kept')
    await query(url, 'create domain positive as integer check (value > 0); create sequence "own Sequence"; create schema "Elsewhere"')
    await query(url, `create function "Elsewhere".f(a odd) returns void language sql as ''`)
  } finally {
    await running.stop()
  }
  return folder
}

test('a data folder whose service was the superuser is converted, once', async () => {
  const folder = await formerFolder()
  for (const time of ['first', 'second']) {
    const postgres = await startEmbeddedPostgres({ folder, settings, log })
    try {
      expect(await query(postgres.url, rights)).toEqual([owner])
      expect(await query(postgres.url, foreignObjects)).toEqual([])
      expect(await query(postgres.url, 'select word from seen')).toEqual([{ word: 'ärger' }])
      await migrateDatabase(postgres.url, { log })
      await query(
        postgres.url,
        `alter table generations add column ${time} integer; insert into kept (word) values ('${time}'); delete from kept where word = '${time}'`,
      )
      expect(await query(postgres.url, 'select rolname from pg_roles where rolsuper and rolcanlogin')).toEqual([
        { rolname: 'atelier_superuser' },
      ])
    } finally {
      await postgres.stop()
    }
  }
  expect((await readdir(folder)).toSorted()).toEqual(['cluster', 'holder.pid', 'lock.sqlite', 'password', 'port', 'superuser-password'])
})

test('a start succeeds without the password of the superuser', async () => {
  const folder = join(parent, 'new')
  await rm(join(folder, 'superuser-password'))
  const postgres = await startEmbeddedPostgres({ folder, settings, log })
  try {
    expect(await query(postgres.url, rights)).toEqual([owner])
  } finally {
    await postgres.stop()
  }
})
