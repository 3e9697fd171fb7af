import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import type { Log } from '../log.ts'
import { sessionOptions } from '../pool/pool.ts'

/** The application name of migration sessions, for operators. */
export const migratorName = 'atelier migrate'

const serverVersionMin = 150_000

/**
 * Opens a session for migrations, without settings. Throws {@link DatabaseStartError} if the database cannot be reached.
 */
export async function connectMigrator(url: string, log: Log): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: migratorName,
    options: sessionOptions,
  })
  client.on('error', (error) => log.warn({ reason: error.message }, 'the connection of the migration broke'))
  try {
    await client.connect()
    return client
  } catch (cause) {
    throw new DatabaseStartError(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
  }
}

/** Throws {@link DatabaseStartError} if the server is older than 15, or the database is not in UTF-8. */
export async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding",
  )
  const { version, number, encoding } = rows[0] as { version: string; number: number; encoding: string }
  if (number < serverVersionMin) throw new DatabaseStartError(`the database is PostgreSQL ${version}: 15 or newer is needed`)
  if (encoding !== 'UTF8') throw new DatabaseStartError(`the database is encoded in ${encoding}: UTF8 is needed`)
}

/** If all addresses of a host fail, the group has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return (error as Error).message
}
