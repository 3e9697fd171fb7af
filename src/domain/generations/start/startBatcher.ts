import type { Pool } from 'pg'
import { makeBatchLoop } from '../../../concurrency/batchLoop.ts'
import { tracedChild, untraced } from '../../../tracing/tracing.ts'
import { isUnavailable } from '../../accountMutex.ts'
import { bindSql } from '../../sql.ts'
import { insertStarts, type NewStart, type StartVerdict } from './insertStarts.ts'
import { isLate, makeStartRetries, type PendingStart } from './startRetries.ts'

/** Starts with others that come at the same time. Rejects when the database did. */
export type StartBatcher = {
  add(start: NewStart): Promise<StartVerdict>
  /** By itself, so that no other's price counts; tells of a start whose answer was lost that it is there. */
  alone(start: NewStart): Promise<StartVerdict>
}

const startsAtOnceMax = 100

const queues = new WeakMap<Pool, StartBatcher>()

/** One for all requests of a process. */
export function startBatcherOf({ pool }: { pool: Pool }): StartBatcher {
  let queue = queues.get(pool)
  if (!queue) {
    queue = makeStartBatcher(pool)
    queues.set(pool, queue)
  }
  return queue
}

/**
 * One batch in flight, of at most {@link startsAtOnceMax}, each its own transaction: what commits together shares locks and the flush,
 * and more in flight would only wait for one another. A start that might not pass beside the others, and every start of a batch that
 * failed, goes by itself, so that nobody pays for others. Starts of an account that others keep locked join no batch.
 */
function makeStartBatcher(pool: Pool): StartBatcher {
  const sql = bindSql(pool)
  const retries = makeStartRetries(pool)
  let waiting: PendingStart[] = []
  const loop = makeBatchLoop(async () => {
    const [held, free] = split(waiting, ({ start }) => retries.isBlocked(start.row.accountId ?? ''))
    for (const each of held) retries.add(each)
    const { batch, rest } = nextBatch(free)
    waiting = rest
    if (batch.length > 0) await startBatch(batch)
    if (waiting.length > 0) loop.soon()
    return undefined
  })

  async function startBatch(batch: PendingStart[]): Promise<void> {
    try {
      const verdicts = await insertStarts(
        sql,
        batch.map(({ start }) => start),
        { waitForLocks: false },
      )
      for (const [index, each] of batch.entries()) {
        const verdict = verdicts[index]
        if (verdict === 'crowded' || verdict === undefined) retries.add(each)
        else each.told(verdict)
      }
    } catch (error) {
      const [late, inTime] = split(batch, isLate)
      for (const each of inTime) retries.add(each, { isSuspect: isUnavailable(error) })
      const [lateToo, others] = split(waiting, isLate)
      waiting = others
      for (const each of [...late, ...lateToo]) each.failed(error)
    }
  }

  /** The statement may be of many; each has waited for it. */
  function pending(start: NewStart, wait: (pending: PendingStart) => void): Promise<StartVerdict> {
    return tracedChild('start_generations', { kind: 'client' }, () => {
      return new Promise((told, failed) => wait({ start, since: performance.now(), told, failed }))
    })
  }

  return {
    add: (start) =>
      pending(start, (each) => {
        waiting.push(each)
        untraced(loop.soon)
      }),
    alone: (start) => pending(start, (each) => retries.add(each)),
  }
}

function split<Item>(items: Item[], is: (item: Item) => boolean): [yes: Item[], no: Item[]] {
  return [items.filter((item) => is(item)), items.filter((item) => !is(item))]
}

/** Takes those who have waited longest; of one idempotency key the first alone, since in one transaction both would hold its lock. */
function nextBatch(waiting: PendingStart[]): { batch: PendingStart[]; rest: PendingStart[] } {
  const taken = new Set<string>()
  const batch: PendingStart[] = []
  const rest: PendingStart[] = []
  for (const each of waiting) {
    const { idempotency } = each.start
    const name = idempotency && JSON.stringify([idempotency.scope, idempotency.key])
    if (batch.length >= startsAtOnceMax || (name !== undefined && taken.has(name))) rest.push(each)
    else {
      if (name !== undefined) taken.add(name)
      batch.push(each)
    }
  }
  return { batch, rest }
}
