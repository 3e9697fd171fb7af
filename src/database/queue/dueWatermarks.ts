import type pg from 'pg'
import { fetchStatementName, takeJobs } from './graphileInternals.ts'

/** Since when jobs of each task may be due, as PostgreSQL writes a time: none is due since before. */
export type DueWatermarks = {
  /** In the order of `tasks`. */
  of(tasks: readonly string[]): string[]
  note(task: string, since: string): void
}

const always = '-infinity'
/** What is not confirmed for so long is forgotten. */
const keptMs = 30_000

/** What the looks of a process have seen, see `jobs_due`. */
export function makeDueWatermarks(): DueWatermarks {
  const known = new Map<string, { since: string; notedAt: number }>()
  return {
    of: (tasks) =>
      tasks.map((task) => {
        const noted = known.get(task)
        return noted && performance.now() - noted.notedAt < keptMs ? noted.since : always
      }),
    note: (task, since) => void known.set(task, { since, notedAt: performance.now() }),
  }
}

/**
 * A connection for the job queue whose statement that takes jobs does not read what has ended long ago. All others go on as they are, and
 * so does that of another version of the library.
 */
export function withDueWatermarks(client: pg.PoolClient, since: () => string[]): pg.PoolClient {
  const query = (asked: unknown, ...rest: unknown[]) => {
    const { name, values = [] } = asked as { name?: unknown; values?: unknown[] }
    const count = typeof name === 'string' ? fetchStatementName.exec(name)?.[1] : undefined
    if (count === undefined || values.length > 3) return Reflect.apply(client.query, client, [asked, ...rest])
    const [pool, tasks, flags = null] = values
    return client.query({ ...takeJobs, values: [pool, tasks, flags, since(), count === '' ? 1 : Number(count)] })
  }
  return new Proxy(client, {
    get(target, key) {
      if (key === 'query') return query
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
