import type pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'

/**
 * Throws {@link DatabaseStartError} while a restore (`openRestoreSession`) is running or was interrupted: a process that started on half of
 * the rows would treat the other half as deleted.
 */
export async function requireCompleteRestore(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select where to_regclass('public.restoring') is not null")
  if (rowCount !== 0) throw new DatabaseStartError('a backup is half restored into this database: run the same atelier restore again')
}
