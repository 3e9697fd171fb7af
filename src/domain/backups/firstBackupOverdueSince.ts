import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const readSince = statement<{ since: Date }>(
  'first_backup_overdue_since',
  `select min(applied_at) + interval '2 days' as since from schema_migrations
    having min(applied_at) < now() - interval '2 days' and not exists (select from backups where finished_at is not null)`,
)

/**
 * Returns when the first backup became overdue: two days after the first migration, as in the alert AtelierBackupMissing. Undefined before
 * that, and when a backup was completed.
 */
export async function firstBackupOverdueSince({ sql }: Pick<Context, 'sql'>): Promise<Date | undefined> {
  return (await sql.one(readSince, []))?.since
}
