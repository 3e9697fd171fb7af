import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMigrations, Logger as WorkerLogger } from 'graphile-worker'
import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import { requireCompleteRestore } from '../dump/requireCompleteRestore.ts'
import type { Log } from '../log.ts'
import type { BeginStep, ShowProgress } from '../progress.ts'
import { connectMigrator, migratorName, reasonOf, requireSupportedServer } from './connectMigrator.ts'
import { logStep } from './logStep.ts'
import { type AppliedMigration, type MigrationFile, migrationsFolder, pendingMigrations, readMigrationFiles } from './migrationFiles.ts'
import { acquireMigrationLock, lockWaitMilliseconds } from './migrationLock.ts'
import { isOutsideTransaction, runOutsideTransaction } from './outsideTransaction.ts'
import { applyFunctions, changedFunctions } from './sqlFunctions.ts'
import { waitForAutovacuum } from './waitForAutovacuum.ts'

const tableLockAttemptsMax = 20

/** Timeouts of the role or the database are meant for requests; an index may take hours. Not every PostgreSQL has all of them. */
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
 * Migrates the database: the tables of graphile-worker, then the pending files of `folder`, each in one transaction unless its first line
 * says otherwise, then the changed functions. Any number of processes may call it at the same time: one migrates, the others wait; a
 * process with nothing to apply does not wait. Waits for a table lock for a second at most, since all requests would queue behind it, then
 * retries. Needs a direct connection: session locks do not work behind a transaction pooler.
 * Returns how many files it applied. Throws {@link DatabaseStartError} with one line: unreachable, too old, a migration failed or was
 * changed after it was applied.
 */
export async function migrateDatabase(url: string, options: MigrateOptions): Promise<number> {
  const { log, folder = migrationsFolder, upTo = Number.POSITIVE_INFINITY, restoring = false, beginStep = logStep(log) } = options
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
    await migrateQueue()
    if (!hasMigrationLock) return 0
    await client.query(appliedTable)
    const applied = await appliedMigrations(client)
    const pending = pendingMigrations(files, applied)
    const startedAt = performance.now()
    for (const [index, file] of pending.entries()) {
      const step = beginStep(`${file.name} (${index + 1} of ${pending.length})`)
      try {
        await (isOutsideTransaction(file.sql)
          ? applyOutsideTransaction(client, file, { url, log, showProgress: step.showProgress })
          : retryOnLockTimeout(file.name, () => apply(client, file), log))
      } finally {
        step.end()
      }
      // Each one of an upgrade may take long; on a new database they are one step.
      log[applied.length === 0 ? 'debug' : 'info']({ migration: file.name }, 'migration applied')
    }
    // The files are the functions of the newest version; with `upTo`, older migrations may still create some of them.
    if (files.length === known.length) await retryOnLockTimeout('the functions', () => applyFunctions(client, functions), log)
    if (pending.length > 0) log.info({ migrations: pending.length, durationSeconds: secondsSince(startedAt) }, 'database migrated')
    return pending.length
  } finally {
    await client.end()
  }
}

function secondsSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt) / 1000
}

/**
 * `restoring`: the caller restores a backup. `upTo`: the last migration to apply, for a backup of that version. `beginStep`: shows the
 * migration that runs; without it, the log does.
 */
export type MigrateOptions = { log: Log; folder?: string; upTo?: number; restoring?: boolean; beginStep?: BeginStep | undefined }

/**
 * Returns the schema version: `applied` is the newest in the database, `needed` the newest of this code, 0 for none. `current`: the code
 * can use the database, also one of a newer release. Rejects if the database cannot be reached.
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

/** Returns the applied migrations; empty for a new database. Not for use in a transaction, which the missing table would abort. */
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
  const logBroken = (error: Error) => log.warn({ reason: error.message }, 'the connection of the migration broke')
  pool.on('error', logBroken)
  pool.on('connect', (client) => client.on('error', logBroken))
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

type Outside = { url: string; log: Log; showProgress: ShowProgress }

/** An attempt continues where the last one ended; the file is recorded when all of it is applied. */
async function applyOutsideTransaction(client: pg.Client, file: MigrationFile, outside: Outside): Promise<void> {
  await retryOnLockTimeout(file.name, () => runOutsideTransaction(client, { ...file, ...outside }), outside.log)
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
      log.warn({ migration: what, attempt }, 'a table is in use; retrying')
      await pause(100 * attempt)
    }
  }
}

/** A lock timeout or a deadlock. */
function isLockConflict(error: unknown): boolean {
  return ['55P03', '40P01'].includes(sqlState(error) ?? '')
}

function sqlState(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
