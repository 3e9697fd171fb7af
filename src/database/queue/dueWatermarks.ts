import type pg from 'pg'
import { fetchStatementName, takeJobs } from './graphileInternals.ts'
import { withQuery } from './withQuery.ts'

/** For each task a time, in PostgreSQL's format, before which no job is due. */
export type DueWatermarks = {
  /** Returns one time for each task, in the order of `tasks`; `-infinity` if unknown. */
  of(tasks: readonly string[]): string[]
  note(task: string, since: string): void
}

const always = '-infinity'
/** A watermark that is older than this is ignored. */
const maxAgeMs = 30_000

/** Stores the watermarks that the polls of a process return; see the SQL function `jobs_due`. */
export function makeDueWatermarks(): DueWatermarks {
  const known = new Map<string, { since: string; notedAt: number }>()
  return {
    of: (tasks) =>
      tasks.map((task) => {
        const noted = known.get(task)
        return noted && performance.now() - noted.notedAt < maxAgeMs ? noted.since : always
      }),
    note: (task, since) => void known.set(task, { since, notedAt: performance.now() }),
  }
}

/**
 * Wraps a connection of the job queue: replaces the statement that fetches jobs by one that skips jobs due before `since`. Other statements
 * pass unchanged, also a fetch statement with an unknown name or more values.
 */
export function withDueWatermarks(client: pg.PoolClient, since: () => string[]): pg.PoolClient {
  const query = (config: unknown, ...rest: unknown[]) => {
    const { name, values = [] } = config as { name?: unknown; values?: unknown[] }
    const count = typeof name === 'string' ? fetchStatementName.exec(name)?.[1] : undefined
    if (count === undefined || values.length > 3) return Reflect.apply(client.query, client, [config, ...rest])
    const [pool, tasks, flags = null] = values
    return client.query({ ...takeJobs, values: [pool, tasks, flags, since(), count === '' ? 1 : Number(count)] })
  }
  return withQuery(client, query)
}
