import pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import { reasonOf } from '../migrations/connectMigrator.ts'
import { sessionOptions, timeoutSettings } from './pool.ts'

const databaseIdentity = `select pg_postmaster_start_time()::text || ' ' || (select oid from pg_database where datname = current_database()) as which`

/**
 * Throws {@link DatabaseStartError} if the direct URL leads to another database than the pool: notifications would be lost.
 */
export async function requireSameDatabase(pool: Pick<pg.Pool, 'query'>, directUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: directUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    options: sessionOptions,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const [direct, pooled] = await Promise.all([client.query(databaseIdentity), pool.query(databaseIdentity)])
    if (direct.rows[0]?.which === pooled.rows[0]?.which) return
  } catch (cause) {
    throw new DatabaseStartError(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
  } finally {
    await client.end().catch(() => undefined)
  }
  throw new DatabaseStartError('DATABASE_DIRECT_URL leads to another database than DATABASE_URL: set both to the same database')
}

/**
 * Returns the SQL that gives the role the session settings that statements outside of a transaction lack behind a pooler; empty if none
 * is missing. Transactions get the settings with their `begin`.
 */
export async function missingRoleSettings(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query<{ jit: string; limit: string; role: string; name: string }>(
    `select current_setting('jit') as jit, current_setting('statement_timeout') as limit, quote_ident(current_user) as role,
       quote_ident(current_database()) as name`,
  )
  const [row] = rows
  if (!row) return []
  const alter = (setting: string) => `alter role ${row.role} in database ${row.name} set ${setting}`
  return [
    ...(row.jit === 'off' ? [] : [alter('jit = off')]),
    ...(row.limit === '0' ? [alter(`statement_timeout = ${timeoutSettings().statement_timeout}`)] : []),
  ]
}
