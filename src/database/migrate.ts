import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations, Logger as WorkerLogger } from 'graphile-worker'
import pg from 'pg'
import { DatabaseStartError } from './databaseStartError.ts'
import type { Log } from './log.ts'
import { type AppliedMigration, type MigrationFile, migrationsFolder, pendingMigrations, readMigrationFiles } from './migrationFiles.ts'
import { withoutJit } from './pool.ts'
import { applyFunctions } from './sqlFunctions.ts'

/** Any number would do; two programs must only not share it in one database. */
const migrationLock = 4_271_903_118
const lockWaitMilliseconds = 1_000
const lockMinutesMax = 10
const tableLockAttemptsMax = 20
const serverVersionMin = 150_000

const appliedTable = `
create table if not exists schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/**
 * Brings the database up to date: the job queue's own tables, then the files of `folder` that are not applied yet, each in one
 * transaction, and the functions that have changed. Any number of processes may call it at once; one works, the others wait for it.
 * Never waits long for a lock on a table, behind which the whole service would queue, but gives way and tries again.
 * Needs a direct connection: a lock of a session means nothing behind a transaction pooler.
 * Throws {@link DatabaseStartError} in one line: unreachable, too old, a migration failed or was changed after it had been applied.
 */
export async function migrateDatabase(url: string, { log, folder = migrationsFolder }: { log: Log; folder?: string }): Promise<void> {
  const files = await readMigrationFiles(folder)
  const client = await connectMigrator(url, log)
  try {
    await refuseUnfitServer(client)
    await takeMigrationLock(client, log)
    await givingWay('the job queue', () => migrateJobQueue(url, log), log)
    await client.query(appliedTable)
    const applied = await client.query<AppliedMigration>('select version, name, checksum from schema_migrations')
    for (const file of pendingMigrations(files, applied.rows)) {
      await givingWay(file.name, () => apply(client, file), log)
      log.info({ migration: file.name }, 'migration applied')
    }
    const release = files.at(-1)?.version ?? 0
    await givingWay('the functions', () => applyFunctions(client, { folder: join(folder, 'functions'), release }), log)
  } finally {
    await client.end()
  }
}

/**
 * How far the database is: `applied` is the newest version there, `needed` the newest that this code knows, 0 for none. `current` when
 * the code can work on it, a database of a newer release included. Rejects when the database cannot be reached.
 */
export async function schemaVersion(
  connection: Pick<pg.Pool, 'query'>,
  folder = migrationsFolder,
): Promise<{ applied: number; needed: number; current: boolean }> {
  const files = await (folder === migrationsFolder ? (ownFiles ??= readMigrationFiles(folder)) : readMigrationFiles(folder))
  const needed = files.at(-1)?.version ?? 0
  const applied = await newestApplied(connection)
  return { applied, needed, current: applied >= needed }
}

let ownFiles: Promise<MigrationFile[]> | undefined

async function newestApplied(connection: Pick<pg.Pool, 'query'>): Promise<number> {
  try {
    const { rows } = await connection.query('select coalesce(max(version), 0) as version from schema_migrations')
    return Number(rows[0]?.version)
  } catch (error) {
    if (sqlState(error) === '42P01') return 0
    throw error
  }
}

async function connectMigrator(url: string, log: Log): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'atelier migrate',
    options: withoutJit,
  })
  client.on('error', (error) => log.warn({ reason: error.message }, 'the connection of the migration broke'))
  try {
    await client.connect()
    return client
  } catch (cause) {
    throw new DatabaseStartError(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
  }
}

async function refuseUnfitServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding",
  )
  const { version, number, encoding } = rows[0] as { version: string; number: number; encoding: string }
  if (number < serverVersionMin) throw new DatabaseStartError(`the database is PostgreSQL ${version}: 15 or newer is needed`)
  if (encoding !== 'UTF8') throw new DatabaseStartError(`the database is encoded in ${encoding}: UTF8 is needed`)
}

/** Waits in short turns, so that a statement of the process at work never waits for ours. */
async function takeMigrationLock(client: pg.Client, log: Log): Promise<void> {
  const deadline = performance.now() + lockMinutesMax * 60_000
  await client.query(`set lock_timeout = ${lockWaitMilliseconds}`)
  while (performance.now() < deadline) {
    try {
      await client.query('select pg_advisory_lock($1)', [migrationLock])
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      log.info({}, 'waiting for another process that brings the database up to date')
    }
  }
  throw new DatabaseStartError(`another process has been bringing the database up to date for ${lockMinutesMax} minutes`)
}

async function migrateJobQueue(url: string, log: Log): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5_000, lock_timeout: lockWaitMilliseconds })
  const tell = (error: Error) => log.warn({ reason: error.message }, 'the connection of the migration broke')
  pool.on('error', tell)
  pool.on('connect', (client) => client.on('error', tell))
  const logger = new WorkerLogger(() => (level, message) => log[level === 'warning' ? 'warn' : level]({}, message))
  try {
    await runMigrations({ pgPool: pool, logger })
  } finally {
    await pool.end()
  }
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query('begin')
  try {
    await client.query(file.sql)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      file.version,
      file.name,
      file.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function givingWay<Result>(what: string, change: () => Promise<Result>, log: Log): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (cause) {
      if (!isLockTimeout(cause) || attempt === tableLockAttemptsMax) {
        throw new DatabaseStartError(`the migration of ${what} failed: ${reasonOf(cause)}`, { cause })
      }
      log.warn({ migration: what, attempt }, 'a table is in use; trying again')
      await pause(100 * attempt)
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

function sqlState(error: unknown): string | undefined {
  return (error as { code?: string }).code
}

/** Several addresses of one host fail as a group without words of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return (error as Error).message
}
