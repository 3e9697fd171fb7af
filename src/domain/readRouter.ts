import type pg from 'pg'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { Log } from '../database/log.ts'
import type { Replica } from '../database/replica/replica.ts'
import type { MetricsRecorder } from './metrics.ts'
import { bindSql, type Sql } from './sql.ts'

/** Reads histories, usage and delivery logs. Decisions, changes and reads of one object by its identifier use the primary. */
export type History = {
  /**
   * Runs `read` on the replica when the replica has everything committed before this call, so that a list is never older than an earlier
   * answer. Otherwise, and after a failure there, runs it on `own`. `read` may run twice and must not write.
   */
  read<Result>(own: Sql, read: (sql: Sql) => Promise<Result>): Promise<Result>
  /** True while lists are read from the replica. */
  isUsed(): boolean
  /** The replication lag; undefined without a replica. */
  lagSeconds(): number | undefined
  /** The replica's connection pool, for metrics. */
  readonly pool: pg.Pool | undefined
}

type Options = { log: Log; measures?: Pick<MetricsRecorder, 'historyRead'> | undefined }

/** Routes reads to the replica; without one, everything is read from the primary. */
export function makeReadRouter(replica: Replica | undefined, { log, measures }: Options): History {
  if (!replica) return { read: (own, read) => read(own), isUsed: () => false, lagSeconds: () => undefined, pool: undefined }
  const readOwn = <Result>(own: Sql, read: (sql: Sql) => Promise<Result>) => {
    measures?.historyRead('primary')
    return read(own)
  }
  return {
    async read(own, read) {
      const pool = await replica.caughtUpPool()
      if (!pool) return readOwn(own, read)
      try {
        const result = await read(bindSql(pool))
        measures?.historyRead('replica')
        return result
      } catch (error) {
        if (error instanceof Refusal && error.code !== 'service_unavailable') throw error
        log.debug({ error }, 'a list could not be read from the replica')
        replica.failed(error)
        return readOwn(own, read)
      }
    },
    isUsed: replica.isUsed,
    lagSeconds: replica.lagSeconds,
    pool: replica.pool,
  }
}
