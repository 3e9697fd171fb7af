import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'

/** Held during a migration. An arbitrary number that no other program uses in this database. */
const migrationLock = 4_271_903_119

/** The limit for a table lock: all requests would queue behind it. */
export const lockWaitMilliseconds = 1_000

const retryIntervalMilliseconds = 200
const logIntervalMilliseconds = 10_000
const idleMinutesMax = 10

/**
 * Waits until this process has the migration lock (true), or `isCurrent` is true because another process has migrated (false). Waits as
 * long as the other session is active, for an index maybe hours. Polls instead of waiting in one statement, since `create index
 * concurrently` waits for all statements that started before it.
 * Throws {@link DatabaseStartError} if the other session is idle for ten minutes.
 */
export async function acquireMigrationLock(client: pg.Client, { log, isCurrent }: MigrationLockOptions): Promise<boolean> {
  const startedAt = performance.now()
  let loggedAt = startedAt - logIntervalMilliseconds + 1_000
  for (;;) {
    if (await isCurrent()) return false
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock])
    if (rows[0]?.taken) return true
    const now = performance.now()
    const { idleSeconds = (now - startedAt) / 1000, ...holder } = await holderOf(client)
    if (idleSeconds > idleMinutesMax * 60) {
      throw new DatabaseStartError(
        `another process holds the migration lock and has been idle for ${idleMinutesMax} minutes: stop it first`,
      )
    }
    if (now - loggedAt >= logIntervalMilliseconds) {
      log.info(holder, 'waiting for another process that migrates the database')
      loggedAt = now
    }
    await pause(retryIntervalMilliseconds)
  }
}

export type MigrationLockOptions = { log: Log; isCurrent: () => Promise<boolean> }

type Holder = { pid?: number; statement?: string; idleSeconds?: number }

async function holderOf(client: pg.Client): Promise<Holder> {
  const { rows } = await client.query<{ pid: number; statement: string; silent: number | null }>(holderOfLock, [migrationLock])
  const [holder] = rows
  if (!holder) return { idleSeconds: 0 }
  const { pid, statement, silent } = holder
  return { pid, statement, ...(silent === null ? {} : { idleSeconds: silent }) }
}

/** A role without the right to see the other session gets nulls. */
const holderOfLock = `select pid, left(split_part(query, e'\\n', 1), 100) as statement,
    case when state = 'active' then 0 else extract(epoch from clock_timestamp() - state_change)::float end as silent
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = 0 and objid = $1::bigint::oid and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`
