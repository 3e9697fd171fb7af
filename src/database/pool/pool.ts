import pg from 'pg'
import type { Log } from '../log.ts'
import { adaptToTransactionPooler } from './adaptToTransactionPooler.ts'
import { describeStatementsOnce } from './preparedQueries.ts'
import {
  type DatabaseMeasures,
  instrumentConnect,
  type StatementObserver,
  startStatementSpan,
  statementObserver,
} from './statementObserver.ts'

/** Together less than the five seconds in which every request is answered. */
export const defaultTimeouts = { connectMilliseconds: 2_000, queryMilliseconds: 2_700 }
const defaultSlowMilliseconds = 500
/** The server's timeout is shorter, so that it cancels a statement before the client closes the connection. */
const statementShare = 0.9
/** A process that is stopped within a transaction must not keep its locks. */
const idleInTransactionMilliseconds = 10_000

const dateOid = 1082
const bigintOid = 20
const timestampOid = 1184
const dash = 0x2d
const space = 0x20
const parseAnyTimestamp = pg.types.getTypeParser(timestampOid, 'text') as (text: string) => Date
/** PostgreSQL ends the idle sessions of a vanished host after two minutes; by default it takes over two hours. */
const serverKeepalives = '-c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=6'

/**
 * For direct sessions. JIT never pays for these queries, and before PostgreSQL 18 a disabled scan alone triggers it. Timeouts of the role
 * or the database are meant for pooled connections: listening and migrating take longer.
 */
export const sessionOptions = `-c jit=off -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 ${serverKeepalives}`

/**
 * One plan per connection for all values of a prepared statement. Planning a lookup in a table of thirty partitions takes longer than the
 * lookup, and PostgreSQL also prunes partitions when it executes a generic plan.
 */
const genericPlans = '-c plan_cache_mode=force_generic_plan'

export type PoolOptions = {
  max: number
  log: Log
  pooled?: boolean | undefined
  queryTimeoutMilliseconds?: number | undefined
  connectTimeoutMilliseconds?: number | undefined
  /** Receives the durations of statements and of waits for a connection; slow ones are also logged. */
  measures?: DatabaseMeasures | undefined
  slowMilliseconds?: number | undefined
}

/**
 * Opens a pool of up to `max` connections, with time limits: `queryTimeoutMilliseconds` for each statement, `connectTimeoutMilliseconds` for
 * a connection. A connection that does not answer is closed at once, since the server may be gone; a statement that the server refuses
 * closes nothing. A `date` is read as `YYYY-MM-DD`, a timestamp as `Date`, a `bigint` as a number, which must be exact.
 * `pooled`: the URL may lead to a pooler in transaction mode, see {@link adaptToTransactionPooler}.
 */
export function openPool(url: string, { max, log, pooled = false, measures, ...given }: PoolOptions): pg.Pool {
  const { queryTimeoutMilliseconds = defaultTimeouts.queryMilliseconds, connectTimeoutMilliseconds = defaultTimeouts.connectMilliseconds } =
    given
  const { slowMilliseconds = defaultSlowMilliseconds } = given
  const limits = timeoutSettings(queryTimeoutMilliseconds)
  const types = new pg.TypeOverrides()
  types.setTypeParser(dateOid, (text: string) => text)
  types.setTypeParser(bigintOid, safeInteger)
  types.setTypeParser(timestampOid, parseTimestamp)
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
  const logBroken = (error: Error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'a database connection broke')
  }
  const watch = measures && statementObserver({ log, measures, slowMilliseconds })
  if (watch) pool.connect = instrumentConnect(pool, watch)
  pool.on('error', logBroken)
  pool.on('connect', (client) => {
    client.on('error', logBroken)
    if (!(client instanceof pg.Client)) return
    if (pooled) adaptToTransactionPooler(client, { jit: 'off', ...limits })
    else describeStatementsOnce(client)
    // The outermost wrapper: it reports statements by their names, which the adapter removes.
    instrumentClient(client, watch)
  })
  pool.query = queryKeepingConnection(pool)
  return pool
}

/** The server's timeouts in milliseconds, for a session or, behind a pooler, for each transaction. */
export function timeoutSettings(queryTimeoutMilliseconds = defaultTimeouts.queryMilliseconds) {
  return {
    statement_timeout: Math.ceil(queryTimeoutMilliseconds * statementShare),
    idle_in_transaction_session_timeout: idleInTransactionMilliseconds,
  }
}

/** Returns the argument for `release` after a failed query: the error if the connection may be broken or outdated, else undefined. */
export function releaseError(error: unknown): Error | undefined {
  if (error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isOutdatedPlan(error)) return undefined
  return error instanceof Error ? error : new Error('unknown failure', { cause: error })
}

/**
 * Reports every statement to `watch`. Closes the connection of a statement that timed out: the statement would still occupy it, and the
 * next one would wait.
 */
function instrumentClient(client: pg.Client, watch: StatementObserver | undefined): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown
  const watched = (...values: unknown[]) => {
    const begunAt = performance.now()
    const config = values[0] as pg.QueryConfig
    const span = startStatementSpan(config)
    const answer = query(...values)
    if (answer instanceof Promise) {
      answer.then(
        () => {
          span?.end()
          watch?.ended(config, begunAt)
        },
        (error: Error) => {
          span?.fail('failed')
          span?.end()
          watch?.ended(config, begunAt)
          if (error.message === 'Query read timeout') client.connection.stream.destroy()
        },
      )
    }
    return answer
  }
  client.query = watched as typeof client.query
}

/** Unlike `pool.query`, keeps the connection after an error that leaves it usable. */
function queryKeepingConnection(pool: pg.Pool): typeof pool.query {
  const query = async (config: pg.QueryConfig, values?: unknown[]) => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return await client.query(config, values)
    } catch (error) {
      broken = releaseError(error)
      if (!isOutdatedPlan(error)) throw error
      // The statement was refused before it ran, so it may run again: without a name, on a connection that is then replaced.
      const { name: _, ...unnamed } = config
      return await client.query(unnamed, values)
    } finally {
      client.release(broken)
    }
  }
  return query as typeof pool.query
}

/** True if a prepared statement was refused because a newer release changed its result type; the statement did not run. */
export function isOutdatedPlan(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === '0A000' && cause.message.includes('cached plan must not change result type')) return true
  }
  return false
}

/** Parses a `timestamptz`. The usual form in UTC is parsed by the fast path of V8. */
export function parseTimestamp(text: string): Date {
  const isUsual = text.endsWith('+00') && text.charCodeAt(4) === dash && text.charCodeAt(10) === space
  return isUsual ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAnyTimestamp(text)
}

/** Parses a `bigint`: an amount, size or count. Throws if a number cannot represent it exactly. */
export function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds a number that is too large: ${text}`)
  return value
}
