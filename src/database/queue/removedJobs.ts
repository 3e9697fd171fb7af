import type pg from 'pg'
import { completeJob, completeJobs, completeStatementName } from './graphileInternals.ts'
import { withQuery } from './withQuery.ts'

/** One run of a job. Each fetch counts the attempts, and each new schedule of a job increases the revision. */
export type JobRun = { id: string; locked_by: string | null; revision: number; attempts: number }

/** The ended runs that the queue of a process may complete, and the removed jobs that it may not. */
export type RemovedJobs = {
  /**
   * Records a job that was removed in the transaction that ended its work, or that waits for its next run. The queue must not complete it:
   * after a failover it exists again.
   */
  add(jobId: number): void
  has(jobId: number): boolean
  /** Removes a job that starts from the list: it exists again. */
  delete(jobId: number): void
  /** Records a run that ended well, before the queue completes it. */
  recordEnd(run: JobRun): void
  endOf(jobId: number): JobRun | undefined
  /** Deletes a recorded run that the queue has completed. */
  deleteEnd(run: JobRun): void
}

/** The queue completes a job, or repeats that, long before as many others are removed. */
const keptMax = 10_000

export function makeRemovedJobs(): RemovedJobs {
  const ids = new Set<number>()
  const ends = new Map<number, JobRun>()
  return {
    add(jobId) {
      ids.add(jobId)
      deleteOldest(ids)
    },
    has: (jobId) => ids.has(jobId),
    delete: (jobId) => void ids.delete(jobId),
    recordEnd(run) {
      ends.set(Number(run.id), run)
      deleteOldest(ends)
    },
    endOf: (jobId) => ends.get(jobId),
    deleteEnd(run) {
      if (ends.get(Number(run.id)) === run) ends.delete(Number(run.id))
    },
  }
}

function deleteOldest(kept: Set<number> | Map<number, JobRun>): void {
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
}

/**
 * Wraps a connection of the job queue: the statements that complete jobs skip those that were removed, and delete a job only while it is
 * locked by the run that ended. Another process may have unlocked the job and run it.
 */
export function withRemovedJobs(client: pg.PoolClient, removed: RemovedJobs): pg.PoolClient {
  return withQuery(client, (config, ...rest) => {
    const { name, values = [] } = config as { name?: unknown; values?: (number | string | (number | string)[])[] }
    if (typeof name !== 'string' || !completeStatementName.test(name)) return Reflect.apply(client.query, client, [config, ...rest])
    const ids = [values[0] ?? []].flat().filter((id) => !removed.has(Number(id)))
    return complete(
      client,
      ids.flatMap((id) => removed.endOf(Number(id)) ?? []),
      removed,
    )
  })
}

async function complete(client: pg.PoolClient, runs: JobRun[], removed: RemovedJobs): Promise<unknown> {
  const [run] = runs
  if (!run) return { rows: [], rowCount: 0 }
  const result =
    runs.length === 1
      ? await client.query({ ...completeJob, values: valuesOf(run) })
      : await client.query({ ...completeJobs, values: columnsOf(runs) })
  for (const each of runs) removed.deleteEnd(each)
  return result
}

function valuesOf({ id, locked_by: pool, revision, attempts }: JobRun): unknown[] {
  return [id, pool, revision, attempts]
}

function columnsOf(runs: JobRun[]): unknown[][] {
  const rows = runs.map(valuesOf)
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column]))
}
