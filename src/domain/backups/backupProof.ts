import type pg from 'pg'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const prove = statement<{ name: string }>(
  'prove_backup',
  'update backups set proved_at = present() where name = $1 and finished_at is not null returning name',
)

/** Records that a snapshot was restored and its books balance. False if this database has no record of the snapshot. */
export async function proveBackup({ sql }: Pick<Context, 'sql'>, name: string): Promise<boolean> {
  return (await sql.one(prove, [name])) !== undefined
}

const lockKey = `hashtextextended('atelier backup --verify', 0)`

/**
 * Runs `work` while no other process verifies a backup of this deployment. Locks: a session lock on one connection. Rejects with a RangeError
 * if another one runs.
 */
export async function withVerification<Result>(pool: Pick<pg.Pool, 'connect'>, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${lockKey}) as locked`)
    if (rows[0]?.locked !== true) throw new RangeError('another verification of a backup is running')
    return await work()
  } finally {
    // Closing the session releases the lock, also after an error of the connection.
    client.release(true)
  }
}
