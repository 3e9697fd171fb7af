import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

type Asking = Pick<Context, 'sql'>

/** A sign of life comes every tenth of it. */
export const holdSeconds = 120
const keptDays = 400

/** What is held for longer than a sign of life says had it from a clock that was ahead. */
export const isHeld = `held_until between present() and present() + interval '${2 * holdSeconds} seconds'`

const forgetDead = statement<never>('forget_dead_backups', `delete from backups where finished_at is null and not (${isHeld})`)
const forgetOld = statement<never>('forget_old_backups', `delete from backups where started_at < present() - interval '${keptDays} days'`)
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
 * Notes that a backup begins, from which on removals wait (`removalsWait`). False when another one is under way. `target` is told to
 * operators, so it holds no credentials.
 */
export async function beginBackup({ sql }: Asking, { name, target }: { name: string; target: string }): Promise<boolean> {
  await sql.all(forgetDead, [])
  await sql.all(forgetOld, [])
  return (await sql.one(begin, [name, target])) !== undefined
}

/** A sign of life; false when it came too late and the backup was taken for dead. */
export async function extendBackup({ sql }: Asking, name: string): Promise<boolean> {
  return (await sql.one(extend, [name])) !== undefined
}

/** Notes that a backup is whole; `missing` objects could not be had. From now on it counts as the last one. */
export async function finishBackup(
  { sql }: Asking,
  { name, objects, bytes, missing }: { name: string; objects: number; bytes: number; missing: number },
): Promise<void> {
  await sql.all(finish, [name, objects, bytes, missing])
}

/** Lets removals go on after a backup that came to nothing. One that is finished stays. */
export async function endBackup({ sql }: Asking, name: string): Promise<void> {
  await sql.all(end, [name])
}
