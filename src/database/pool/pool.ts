import pg from 'pg'
import type { Log } from '../log.ts'
import { adaptToTransactionPooler } from './adaptToTransactionPooler.ts'
import {
  type DatabaseMeasures,
  instrumentConnect,
  type StatementObserver,
  startStatementSpan,
  statementObserver,
} from './statementObserver.ts'

/** With the time for an answer together less than the five seconds in which every request is answered. */
const defaultConnectTimeoutMilliseconds = 2_000
const defaultQueryTimeoutMilliseconds = 2_700
const defaultSlowMilliseconds = 500
/** The server gives up a statement before we give up the connection. */
const statementShare = 0.9
/** A process that is stopped in the middle of a transaction must not keep its locks. */
const idleInTransactionMilliseconds = 10_000

const dateOid = 1082
const bigintOid = 20
/**
 * For sessions of our own. Nobody types queries so complex that compiling them pays, and before PostgreSQL 18 a switched-off scan alone
 * sets it off. Limits that the role or the database was given are for what comes through a pooler: listening and migrating take longer.
 */
export const sessionOptions = '-c jit=off -c statement_timeout=0 -c idle_in_transaction_session_timeout=0'

/**
 * One plan for all values of a prepared statement, made once by a connection. Planning a look-up in a table of thirty partitions takes
 * longer than the look-up, and PostgreSQL leaves out the partitions that cannot matter when it runs a plan just as when it makes one.
 */
const genericPlans = '-c plan_cache_mode=force_generic_plan'

export type PoolOptions = {
  max: number
  log: Log
  pooled?: boolean | undefined
  queryTimeoutMilliseconds?: number | undefined
  connectTimeoutMilliseconds?: number | undefined
  /** Who is told how long statements and waits for a connection take, and from when on they are told in the log as well. */
  measures?: DatabaseMeasures | undefined
  slowMilliseconds?: number | undefined
}

/**
 * Up to `max` connections that turn an unreachable database into an error in time. One that does not answer is closed at once, since
 * its other end may be gone without a word; a statement that the server refuses costs no connection. Dates without a time come as
 * `YYYY-MM-DD`, for they are no moments; moments come as `Date`, `bigint` as numbers that are certain to be exact. `queryTimeoutMilliseconds`
 * bounds each statement, `connectTimeoutMilliseconds` the wait for a connection. `pooled`: a pooler in transaction mode may stand before the
 * database, so nothing is left with a session, see {@link adaptToTransactionPooler}.
 */
export function openPool(url: string, { max, log, pooled = false, measures, ...given }: PoolOptions): pg.Pool {
  const { queryTimeoutMilliseconds = defaultQueryTimeoutMilliseconds, connectTimeoutMilliseconds = defaultConnectTimeoutMilliseconds } =
    given
  const { slowMilliseconds = defaultSlowMilliseconds } = given
  const limits = timeoutSettings(queryTimeoutMilliseconds)
  const types = new pg.TypeOverrides()
  types.setTypeParser(dateOid, (text: string) => text)
  types.setTypeParser(bigintOid, safeInteger)
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    query_timeout: queryTimeoutMilliseconds,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'atelier',
    ...(pooled ? {} : { ...limits, options: `${sessionOptions} ${genericPlans}` }),
  })
  const tell = (error: Error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'a database connection broke')
  }
  const watch = measures && statementObserver({ log, measures, slowMilliseconds })
  if (watch) pool.connect = instrumentConnect(pool, watch)
  pool.on('error', tell)
  pool.on('connect', (client) => {
    client.on('error', tell)
    if (!(client instanceof pg.Client)) return
    if (pooled) adaptToTransactionPooler(client, { jit: 'off', ...limits })
    // Outermost, since it tells of statements by the names that they have here.
    instrumentClient(client, watch)
  })
  pool.query = queryKeepingConnection(pool)
  return pool
}

/** In milliseconds: what the server allows a session of ours, or, behind a pooler, each transaction. */
export function timeoutSettings(queryTimeoutMilliseconds = defaultQueryTimeoutMilliseconds) {
  return {
    statement_timeout: Math.ceil(queryTimeoutMilliseconds * statementShare),
    idle_in_transaction_session_timeout: idleInTransactionMilliseconds,
  }
}

/** What to give to `release` after a query failed: the error when the connection is in doubt or outdated, nothing when the server just said no. */
export function releaseError(error: unknown): Error | undefined {
  if (error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isOutdatedPlan(error)) return undefined
  return error instanceof Error ? error : new Error('unknown failure', { cause: error })
}

/**
 * Tells `watch` of every statement, and closes the connection of one that is given up: it would still occupy it, and whoever comes next
 * would wait behind it.
 */
function instrumentClient(client: pg.Client, watch: StatementObserver | undefined): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown
  const watched = (...values: unknown[]) => {
    const begunAt = performance.now()
    const asked = values[0] as pg.QueryConfig
    const span = startStatementSpan(asked)
    const answer = query(...values)
    if (answer instanceof Promise) {
      answer.then(
        () => {
          span?.end()
          watch?.ended(asked, begunAt)
        },
        (error: Error) => {
          span?.fail('failed')
          span?.end()
          watch?.ended(asked, begunAt)
          if (error.message === 'Query read timeout') client.connection.stream.destroy()
        },
      )
    }
    return answer
  }
  client.query = watched as typeof client.query
}

/** The pool's own closes the connection after every error, an expected one included. */
function queryKeepingConnection(pool: pg.Pool): typeof pool.query {
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return await client.query(config, values)
    } catch (error) {
      broken = releaseError(error)
      if (!isOutdatedPlan(error)) throw error
      // Refused before it did anything, so it may run anew: without its name, as it stands, on a connection that is then replaced.
      return await client.query(config.text, values ?? config.values)
    } finally {
      client.release(broken)
    }
  }
  return query as typeof pool.query
}

/** True when a prepared statement was refused because a newer release has changed what it gives; nothing of it was done. */
export function isOutdatedPlan(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === '0A000' && cause.message.includes('cached plan must not change result type')) return true
  }
  return false
}

/** Amounts, sizes and counts: read once, here. Throws for what a number would not hold exactly. */
export function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds a number that is too large: ${text}`)
  return value
}
