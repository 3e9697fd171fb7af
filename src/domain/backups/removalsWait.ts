import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { isHeld } from './backupRecord.ts'

/** When somebody who had to wait looks again. */
export const removalPauseSeconds = 60

const underWay = statement<{ waits: boolean }>(
  'removals_wait',
  `select exists (select from backups where finished_at is null and ${isHeld}) as waits`,
)

/**
 * Whether a backup is under way, which may still want the objects that its snapshot names: whoever removes stored objects of rows comes
 * again later. A row that went before the snapshot is not in it, so that it is enough to ask after the row has gone. One that died holds
 * nothing for longer than its last sign of life said.
 */
export async function removalsWait(context: Pick<Context, 'sql'>): Promise<boolean> {
  return (await context.sql.one(underWay, []))?.waits ?? false
}
