import type pg from 'pg'
import { fetchStatementName } from './graphileInternals.ts'
import { withQuery } from './withQuery.ts'

/** Whether the last fetch of a runner found no job, and none has become due since. */
export type EmptyFetches = {
  isEmpty(): boolean
  /** Call it before a fetch, and the function that it returns after the fetch, if that has found no job. */
  begin(): () => void
  /** A poll has found due jobs. */
  noteDue(): void
}

/** Limits the delay when a job becomes due without a notice. */
const validMs = 2_000

export function makeEmptyFetches(): EmptyFetches {
  let emptyUntil = 0
  let polls = 0
  return {
    isEmpty: () => performance.now() < emptyUntil,
    begin() {
      const [startedAt, pollsBefore] = [performance.now(), polls]
      return () => {
        // The poll may have seen a job that this fetch did not.
        if (polls === pollsBefore) emptyUntil = startedAt + validMs
      }
    },
    noteDue() {
      polls++
      emptyUntil = 0
    },
  }
}

/**
 * Wraps a connection of the job queue: answers a fetch without a query when the queue is known to be empty. Each end of a job makes its
 * runner fetch, and so does the start of each place of a runner. A fetch that skips jobs by their flags tells nothing about the queue.
 */
export function withEmptyFetches(client: pg.PoolClient, fetches: EmptyFetches): pg.PoolClient {
  return withQuery(client, async (config, ...rest) => {
    const { name, values = [] } = config as { name?: unknown; values?: unknown[] }
    const send = () => Reflect.apply(client.query, client, [config, ...rest])
    if (typeof name !== 'string' || !fetchStatementName.test(name)) return send()
    if (fetches.isEmpty()) return { rows: [], rowCount: 0 }
    const noteEmpty = fetches.begin()
    const result = await send()
    const [, , flagsToSkip = null] = values
    if (result.rows.length === 0 && flagsToSkip === null) noteEmpty()
    return result
  })
}
