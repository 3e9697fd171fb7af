import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres, superuserPasswordFile } from '../../../src/database/embedded/embeddedPostgres.ts'
import { lockFolder } from '../../../src/database/embedded/folderLock.ts'
import { serviceRole, superuserRole } from '../../../src/database/embedded/serviceRole.ts'
import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { type Pgbouncer, startPgbouncer } from '../database/pgbouncer.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'

const prefix = 'atelier-test-'
const loud = (fields: object, message: string) => console.error(message, fields)
const log = { debug() {}, info() {}, warn: loud, error: loud }

/** No flushes, because nothing is kept. No autovacuum: it runs as superuser, so the role that drops a database cannot end it. */
const settings = {
  autovacuum: 'off',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
}

export type TestCluster = { postgresUrl: string; pgbouncerPort: number; stop(): Promise<void> }

/** Starts a cluster, in memory where possible, with a migrated database to clone. */
export async function startTestCluster(): Promise<TestCluster> {
  await removeLeftovers()
  const folder = await mkdtemp(join(memoryFolder(), prefix))
  const postgres = await startEmbeddedPostgres({ folder, settings, programs: process.env['TEST_POSTGRES_PROGRAMS'] || undefined, log })
  let pgbouncer: Pgbouncer | undefined
  const stop = async () => {
    await pgbouncer?.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await allowDatabases(folder, postgres)
    await makeTemplate(postgres)
    if (process.env['TEST_PGBOUNCER']) pgbouncer = await startPgbouncer(postgres.url, await mkdtemp(join(tmpdir(), prefix)))
  } catch (error) {
    await stop()
    throw error
  }
  return { postgresUrl: postgres.url, pgbouncerPort: pgbouncer?.port ?? 0, stop }
}

/** Tests run as the service's role, which may also create databases. */
async function allowDatabases(folder: string, { url }: EmbeddedPostgres): Promise<void> {
  const address = new URL(url)
  address.username = superuserRole
  address.password = (await readFile(join(folder, superuserPasswordFile), 'utf8')).trim()
  const client = new pg.Client(address.href)
  await client.connect()
  try {
    await client.query(`alter role ${serviceRole} createdb`)
  } finally {
    await client.end()
  }
}

async function makeTemplate({ url }: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('create database migrated')
    const template = new URL(url)
    template.pathname = 'migrated'
    await migrateDatabase(template.href, { log })
    await client.query('alter database migrated is_template true allow_connections false')
  } finally {
    await client.end()
  }
}

/** Folders of killed runs: unlocked, and too old to belong to a run that is starting. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(memoryFolder())) {
    if (!name.startsWith(prefix)) continue
    const folder = join(memoryFolder(), name)
    const made = await stat(folder).catch(() => undefined)
    if (made === undefined || Date.now() - made.mtimeMs < 60_000) continue
    const lock = await lockFolder(folder).catch(() => undefined)
    if (lock === undefined) continue
    lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}
