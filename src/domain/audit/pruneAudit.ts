import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { statement } from '../sql.ts'

const rowsAtOnce = 2_000

const old = statement<{ id: string }>(
  'prune_audit',
  `with old as (
     select id from audit_entries where at < present() - $1 * interval '1 day' order by at, id limit ${rowsAtOnce} for update skip locked
   )
   delete from audit_entries where id = any(array(select id from old)) returning id`,
)

/** Deletes audit entries older than the retention period. Returns how many. A trigger of the table refuses to delete newer ones. */
export function pruneAudit({ sql }: Pick<Context, 'sql'>): Promise<number> {
  return runInBatches(rowsAtOnce, async () => (await sql.all(old, [limits.auditLogDays])).length)
}
