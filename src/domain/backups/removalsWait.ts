import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { isHeld } from './backupRecord.ts'

/** A removal that a backup delays is retried after this time. */
export const removalPauseSeconds = 60

const underWay = statement<{ waits: boolean }>(
  'removals_wait',
  `select exists (select from backups where finished_at is null and ${isHeld}) as waits`,
)

/**
 * True while a backup is active: it may still copy objects that its snapshot names, so removals must be retried later. Check this after
 * deleting the row: a row deleted before the snapshot is not in it. A crashed backup counts until its last heartbeat expires.
 */
export async function removalsWait(context: Pick<Context, 'sql'>): Promise<boolean> {
  return (await context.sql.one(underWay, []))?.waits ?? false
}
