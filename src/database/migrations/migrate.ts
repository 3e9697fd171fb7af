import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations, Logger as WorkerLogger } from 'graphile-worker'
import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import { requireCompleteRestore } from '../dump/requireCompleteRestore.ts'
import type { Log } from '../log.ts'
import { connectMigrator, migratorName, reasonOf, requireSupportedServer } from './connectMigrator.ts'
import { type AppliedMigration, type MigrationFile, migrationsFolder, pendingMigrations, readMigrationFiles } from './migrationFiles.ts'
import { acquireMigrationLock, lockWaitMilliseconds } from './migrationLock.ts'
import { isOutsideTransaction, runOutsideTransaction } from './outsideTransaction.ts'
import { applyFunctions, changedFunctions } from './sqlFunctions.ts'
import { waitForAutovacuum } from './waitForAutovacuum.ts'

const tableLockAttemptsMax = 20

/** What the role or the database sets is meant for requests; an index may take hours. Not every release has all of them. */
const disableTimeouts = `select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'transaction_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout')
  union all select set_config('lock_timeout', '${lockWaitMilliseconds}', false)`

const appliedTable = `
create table if not exists schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/**
 * Brings the database up to date: the job queue's own tables, then the files of `folder` that are not applied yet, each in one
 * transaction unless its first line says otherwise, and the functions that have changed. Any number of processes may call it at once; one
 * works, the others wait for it, and whoever has nothing to apply waits for nobody. Never waits long for a lock on a table, behind which
 * the whole service would queue, but gives way and tries again.
 * Needs a direct connection: a lock of a session means nothing behind a transaction pooler.
 * Throws {@link DatabaseStartError} in one line: unreachable, too old, a migration failed or was changed after it had been applied.
 */
export async function migrateDatabase(url: string, options: MigrateOptions): Promise<void> {
  const { log, folder = migrationsFolder, upTo = Number.POSITIVE_INFINITY, restoring = false } = options
  const known = await readMigrationFiles(folder)
  const files = known.filter(({ version }) => version <= upTo)
  const functions = { folder: join(folder, 'functions'), release: files.at(-1)?.version ?? 0 }
  const client = await connectMigrator(url, log)
  const migrateQueue = () => retryOnLockTimeout('the job queue', () => migrateJobQueue(url, log), log)
  const isCurrent = async () =>
    pendingMigrations(files, await appliedMigrations(client)).length === 0 && (await changedFunctions(client, functions)).length === 0
  try {
    await requireSupportedServer(client)
    await client.query(disableTimeouts)
    const hasMigrationLock = await acquireMigrationLock(client, { log, isCurrent })
    if (!restoring) await requireCompleteRestore(client)
    if (!hasMigrationLock) return await migrateQueue()
    await migrateQueue()
    await client.query(appliedTable)
    for (const file of pendingMigrations(files, await appliedMigrations(client))) {
      await (isOutsideTransaction(file.sql)
        ? applyOutsideTransaction(client, file, log)
        : retryOnLockTimeout(file.name, () => apply(client, file), log))
      log.info({ migration: file.name }, 'migration applied')
    }
    // Functions are those of the newest version; migrations on the way there may still make some of them.
    if (files.length === known.length) await retryOnLockTimeout('the functions', () => applyFunctions(client, functions), log)
  } finally {
    await client.end()
  }
}

/** `restoring`: for the one who loads a backup. `upTo`: the newest migration that is applied, for a backup of that version. */
export type MigrateOptions = { log: Log; folder?: string; upTo?: number; restoring?: boolean }

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

/** What a database has; nothing where none was ever applied. Not inside a transaction, which the missing table would end. */
export async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<AppliedMigration>('select version, name, checksum from schema_migrations')
    return rows
  } catch (error) {
    if (sqlState(error) === '42P01') return []
    throw error
  }
}

async function newestApplied(connection: Pick<pg.Pool, 'query'>): Promise<number> {
  try {
    const { rows } = await connection.query('select coalesce(max(version), 0) as version from schema_migrations')
    return Number(rows[0]?.version)
  } catch (error) {
    if (sqlState(error) === '42P01') return 0
    throw error
  }
}

async function migrateJobQueue(url: string, log: Log): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 5_000,
    lock_timeout: lockWaitMilliseconds,
    application_name: migratorName,
  })
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
    await recordAppliedMigration(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    if (isLockConflict(error)) await waitForAutovacuum(client)
    throw error
  }
}

/** Each try goes on where the last ended; the file is applied once all of it is. */
async function applyOutsideTransaction(client: pg.Client, file: MigrationFile, log: Log): Promise<void> {
  await retryOnLockTimeout(file.name, () => runOutsideTransaction(client, { ...file, log }), log)
  await recordAppliedMigration(client, file)
}

async function recordAppliedMigration(client: pg.Client, { version, name, checksum }: MigrationFile): Promise<void> {
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [version, name, checksum])
}

async function retryOnLockTimeout<Result>(what: string, change: () => Promise<Result>, log: Log): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (cause) {
      if (cause instanceof DatabaseStartError) throw cause
      if (!isLockConflict(cause) || attempt === tableLockAttemptsMax) {
        throw new DatabaseStartError(`the migration of ${what} failed: ${reasonOf(cause)}`, { cause })
      }
      log.warn({ migration: what, attempt }, 'a table is in use; trying again')
      await pause(100 * attempt)
    }
  }
}

/** A lock was not to be had in time, or two waited for each other. */
function isLockConflict(error: unknown): boolean {
  return ['55P03', '40P01'].includes(sqlState(error) ?? '')
}

function sqlState(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
