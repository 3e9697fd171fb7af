import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

type Asking = Pick<Context, 'sql'>

/** How long a heartbeat keeps a backup active. The backup sends one every tenth of this time. */
export const holdSeconds = 120
const keptDays = 400

/** SQL: the backup is active. A `held_until` further in the future was written while the clock was ahead, so it does not count. */
export const isHeld = `held_until between present() and present() + interval '${2 * holdSeconds} seconds'`

const deleteAbandoned = statement<never>('forget_dead_backups', `delete from backups where finished_at is null and not (${isHeld})`)
const deleteOld = statement<never>('forget_old_backups', `delete from backups where started_at < present() - interval '${keptDays} days'`)
const begin = statement<{ name: string }>(
  'begin_backup',
  `insert into backups (name, target, started_at, held_until) values ($1, $2, present(), present() + interval '${holdSeconds} seconds')
     on conflict do nothing returning name`,
)
const extend = statement<{ name: string }>(
  'extend_backup',
  `update backups set held_until = present() + interval '${holdSeconds} seconds' where name = $1 and finished_at is null returning name`,
)
const finish = statement<never>(
  'finish_backup',
  'update backups set finished_at = present(), objects = $2, bytes = $3, missing = $4 where name = $1 and finished_at is null',
)
const end = statement<never>('end_backup', 'delete from backups where name = $1 and finished_at is null')

/**
 * Records the start of a backup. From then on, objects are not removed (`removalsWait`). False when another backup is active.
 * `target` is shown to operators, so it must not contain credentials.
 */
export async function beginBackup({ sql }: Asking, { name, target }: { name: string; target: string }): Promise<boolean> {
  await sql.all(deleteAbandoned, [])
  await sql.all(deleteOld, [])
  return (await sql.one(begin, [name, target])) !== undefined
}

/** Heartbeat of a backup. False when it came too late and the record of the backup was deleted. */
export async function extendBackup({ sql }: Asking, name: string): Promise<boolean> {
  return (await sql.one(extend, [name])) !== undefined
}

/** Records that a backup is complete; `missing` objects could not be read. It now counts as the last backup. */
export async function finishBackup(
  { sql }: Asking,
  { name, objects, bytes, missing }: { name: string; objects: number; bytes: number; missing: number },
): Promise<void> {
  await sql.all(finish, [name, objects, bytes, missing])
}

/** Deletes the record of a failed backup, so that objects are removed again. The record of a finished backup stays. */
export async function endBackup({ sql }: Asking, name: string): Promise<void> {
  await sql.all(end, [name])
}
