import type { Pool } from 'pg'
import { makeBatchLoop } from '../../../concurrency/batchLoop.ts'
import { tracedChild, untraced } from '../../../tracing/tracing.ts'
import { isUnavailable } from '../../accountMutex.ts'
import { bindSql } from '../../sql.ts'
import { insertStarts, type NewStart, type StartContext, type StartVerdict } from './insertStarts.ts'
import { isLate, makeStartRetries, type PendingStart } from './startRetries.ts'

/** Starts together with concurrent starts. Rejects with an error of the database. */
export type StartBatcher = {
  add(start: NewStart): Promise<StartVerdict>
  /** Starts in a statement of its own, so that no other price counts. Also finds a start whose answer was lost. */
  alone(start: NewStart): Promise<StartVerdict>
}

const startsAtOnceMax = 100

const queues = new WeakMap<Pool, StartBatcher>()

/** The batcher of a process. */
export function startBatcherOf({ pool, log }: Pick<StartContext, 'pool' | 'log'>): StartBatcher {
  let queue = queues.get(pool)
  if (!queue) {
    queue = makeStartBatcher({ pool, log, sql: bindSql(pool) })
    queues.set(pool, queue)
  }
  return queue
}

/**
 * Runs one batch at a time, of at most {@link startsAtOnceMax} starts, in one transaction. They share locks and the WAL flush; concurrent
 * batches would only wait for each other. A start that may not fit beside the others, and every start of a failed batch, is retried alone,
 * so that starts do not affect each other. Starts of an account with a contended lock join no batch.
 */
function makeStartBatcher(context: StartContext): StartBatcher {
  const retries = makeStartRetries(context)
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
        context,
        batch.map(({ start }) => start),
        { waitForLocks: false },
      )
      for (const [index, each] of batch.entries()) {
        const verdict = verdicts[index]
        if (verdict === 'crowded' || verdict === undefined) retries.add(each)
        else each.resolve(verdict)
      }
    } catch (error) {
      const [late, inTime] = split(batch, isLate)
      for (const each of inTime) retries.add(each, { isSuspect: isUnavailable(error) })
      const [lateToo, others] = split(waiting, isLate)
      waiting = others
      for (const each of [...late, ...lateToo]) each.reject(error)
    }
  }

  /** Resolves with the outcome of a start in a shared statement. */
  function pending(start: NewStart, wait: (pending: PendingStart) => void): Promise<StartVerdict> {
    return tracedChild('start_generations', { kind: 'client' }, () => {
      return new Promise((resolve, reject) => wait({ start, since: performance.now(), resolve, reject }))
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

/** Takes the starts that have waited longest, and only the first of one idempotency key: two in one transaction would share its lock. */
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
