import type pg from 'pg'
import { completeStatementName } from './graphileInternals.ts'
import { withQuery } from './withQuery.ts'

/**
 * Jobs that were removed in the transaction that ended their work, or that wait for their next run. The queue must not complete them: after
 * a failover they exist again.
 */
export type RemovedJobs = {
  add(jobId: number): void
  has(jobId: number): boolean
  /** Removes a job that starts from the list: it exists again. */
  delete(jobId: number): void
}

/** The queue completes a job, or repeats that, long before as many others are removed. */
const keptMax = 10_000

export function makeRemovedJobs(): RemovedJobs {
  const ids = new Set<number>()
  return {
    add(jobId) {
      ids.add(jobId)
      const [oldest] = ids
      if (ids.size > keptMax && oldest !== undefined) ids.delete(oldest)
    },
    has: (jobId) => ids.has(jobId),
    delete: (jobId) => void ids.delete(jobId),
  }
}

/** Wraps a connection of the job queue: the statements that complete jobs skip those that were removed. */
export function withRemovedJobs(client: pg.PoolClient, removed: RemovedJobs): pg.PoolClient {
  return withQuery(client, (config, ...rest) => {
    const { name, values = [] } = config as { name?: unknown; values?: (number | number[])[] }
    if (typeof name !== 'string' || !completeStatementName.test(name)) return Reflect.apply(client.query, client, [config, ...rest])
    const asked = [values[0] ?? []].flat()
    const ids = asked.filter((id) => !removed.has(id))
    if (ids.length === 0) return Promise.resolve({ rows: [], rowCount: 0 })
    const left = Array.isArray(values[0]) ? ids : ids[0]
    return Reflect.apply(client.query, client, [{ ...(config as object), values: [left] }, ...rest])
  })
}
