import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'

/** Held from the first statement of a migration to its last. Any number would do that no other program uses in this database. */
const migrationLock = 4_271_903_119

/** For a lock on a table, behind which the whole service would queue. */
export const lockWaitMilliseconds = 1_000

const retryIntervalMilliseconds = 200
const logIntervalMilliseconds = 10_000
const idleMinutesMax = 10

/**
 * Waits until this process may bring the database up to date, or until `isCurrent` says that another has: then false. Waits for as long
 * as the other one is at work, be it hours for an index; one whose session does nothing for ten minutes is given up.
 * It asks again and again rather than in one statement, since `create index concurrently` waits for all statements that began before it.
 * Throws {@link DatabaseStartError} when the other one does nothing.
 */
export async function acquireMigrationLock(client: pg.Client, { log, isCurrent }: MigrationLockOptions): Promise<boolean> {
  const begun = performance.now()
  let told = begun - logIntervalMilliseconds + 1_000
  for (;;) {
    if (await isCurrent()) return false
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock])
    if (rows[0]?.taken) return true
    const now = performance.now()
    const { silentSeconds = (now - begun) / 1000, ...holder } = await holderOf(client)
    if (silentSeconds > idleMinutesMax * 60) {
      throw new DatabaseStartError(`another process is to bring the database up to date and has done nothing for ${idleMinutesMax} minutes`)
    }
    if (now - told >= logIntervalMilliseconds) {
      log.info(holder, 'waiting for another process that brings the database up to date')
      told = now
    }
    await pause(retryIntervalMilliseconds)
  }
}

export type MigrationLockOptions = { log: Log; isCurrent: () => Promise<boolean> }

type Holder = { pid?: number; statement?: string; silentSeconds?: number }

async function holderOf(client: pg.Client): Promise<Holder> {
  const { rows } = await client.query<{ pid: number; statement: string; silent: number | null }>(holderOfLock, [migrationLock])
  const [holder] = rows
  if (!holder) return { silentSeconds: 0 }
  const { pid, statement, silent } = holder
  return { pid, statement, ...(silent === null ? {} : { silentSeconds: silent }) }
}

/** A role that may not see into the other session learns nothing of its state. */
const holderOfLock = `select pid, left(split_part(query, e'\\n', 1), 100) as statement,
    case when state = 'active' then 0 else extract(epoch from clock_timestamp() - state_change)::float end as silent
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = 0 and objid = $1::bigint::oid and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`
