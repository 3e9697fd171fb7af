import type pg from 'pg'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { Log } from '../database/log.ts'
import type { Replica } from '../database/replica/replica.ts'
import type { MetricsRecorder } from './metrics.ts'
import { bindSql, type Sql } from './sql.ts'

/** Where histories, usage and delivery logs are read. Nothing that decides, moves or answers for one thing by its identifier is. */
export type History = {
  /**
   * Runs `read` on the replica when that has all that was committed before this call, so that a list never lags behind what its reader
   * was told, by whomever; otherwise, and when it fails there, on `own`. `read` may run twice, and only reads.
   */
  read<Result>(own: Sql, read: (sql: Sql) => Promise<Result>): Promise<Result>
  /** Whether lists are read from a replica now. */
  isUsed(): boolean
  /** How far the replica is behind; undefined where there is none. */
  lagSeconds(): number | undefined
  /** The replica's connections, for those who count them. */
  readonly pool: pg.Pool | undefined
}

type Options = { log: Log; measures?: Pick<MetricsRecorder, 'historyRead'> | undefined }

/** Over a replica if there is one; else everything is read where it is written. */
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
