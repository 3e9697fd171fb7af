import pg from 'pg'
import { sessionOptions } from './pool.ts'

/** PostgreSQL refuses a connection with this code when all are taken. */
const tooManyConnections = '53300'
const connectTimeoutMilliseconds = 1_500

/**
 * Tells an unreachable PostgreSQL from one without a free connection, with a connection beside the pool: `answers`, `full` or `away`.
 */
export async function probeServer(pool: pg.Pool): Promise<'answers' | 'full' | 'away'> {
  const client = new pg.Client({
    connectionString: pool.options.connectionString,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    application_name: 'atelier',
    options: sessionOptions,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'answers'
  } catch (error) {
    return (error as { code?: string }).code === tooManyConnections ? 'full' : 'away'
  } finally {
    await client.end().catch(() => undefined)
  }
}
