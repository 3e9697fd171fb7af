import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

const readSince = statement<{ since: Date }>(
  'backup_missing_since',
  `select min(applied_at) + interval '2 days' as since from schema_migrations
    having min(applied_at) < now() - interval '2 days' and not exists (select from backups where finished_at is not null)`,
)

/** Returns since when the first backup is overdue: two days after the first migration, as in the alert AtelierBackupMissing. */
export async function backupMissingSince({ sql }: Pick<Context, 'sql'>): Promise<Date | undefined> {
  return (await sql.one(readSince, []))?.since
}
