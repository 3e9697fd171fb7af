import type { Pool } from 'pg'
import { makeBatchLoop } from '../../concurrency/batchLoop.ts'
import { Refusal } from '../../contract/refusals.ts'
import { tracedWithin, untraced } from '../../tracing/tracing.ts'
import { bindSql, statement } from '../sql.ts'
import { insertStarts, type NewStart, type StartVerdict } from './insertStarts.ts'

type Waiting = { start: NewStart; since: number; told(verdict: StartVerdict): void; failed(error: unknown): void }

/** Starts with others that come at the same time. Rejects when the database did. */
export type StartQueue = {
  add(start: NewStart): Promise<StartVerdict>
  /** By itself, so that no other's price counts; tells of a start whose answer was lost that it is there. */
  alone(start: NewStart): Promise<StartVerdict>
}

const startsAtOnceMax = 100
/** Whoever has waited for so long is told that the database does not answer rather than tried again: five seconds are all there is. */
const tryAgainMs = 2_000

const findStarted = statement<{ id: string }>('find_started', 'select id from generations where id = $1')

const queues = new WeakMap<Pool, StartQueue>()

/** One for all requests of a process. */
export function startQueueOf({ pool }: { pool: Pool }): StartQueue {
  let queue = queues.get(pool)
  if (!queue) {
    queue = makeStartQueue(pool)
    queues.set(pool, queue)
  }
  return queue
}

/**
 * One batch in flight, of at most {@link startsAtOnceMax}, each its own transaction: what commits together shares locks and the flush,
 * and more in flight would only wait for one another. A start that might not pass beside the others, and every start of a batch that
 * failed, goes by itself, so that nobody pays for others.
 */
function makeStartQueue(pool: Pool): StartQueue {
  const sql = bindSql(pool)
  let waiting: Waiting[] = []
  const loop = makeBatchLoop(async () => {
    const { batch, rest } = nextBatch(waiting)
    waiting = rest
    if (batch.length > 0) await startBatch(batch)
    if (waiting.length > 0) loop.soon()
    return undefined
  })

  async function startBatch(batch: Waiting[]): Promise<void> {
    try {
      const verdicts = await insertStarts(
        sql,
        batch.map(({ start }) => start),
        { patient: false },
      )
      for (const [index, each] of batch.entries()) {
        const verdict = verdicts[index]
        if (verdict === 'crowded' || verdict === undefined) retry(each)
        else each.told(verdict)
      }
    } catch (error) {
      for (const each of batch) giveUpOr(retry, each, error)
      const [late, others] = [waiting.filter(isLate), waiting.filter((each) => !isLate(each))]
      waiting = others
      for (const each of late) each.failed(error)
    }
  }

  const retry = (each: Waiting) => void alone(each.start).then(each.told, each.failed)

  async function alone(start: NewStart): Promise<StartVerdict> {
    const since = performance.now()
    try {
      return await once(start)
    } catch (error) {
      if (!isAnswerLost(error) || isLate({ since })) throw error
      return once(start)
    }
  }

  async function once(start: NewStart): Promise<StartVerdict> {
    try {
      const [verdict = 'crowded'] = await insertStarts(sql, [start], { patient: true })
      if (!isOfMoney(verdict)) return verdict
      // A statement whose answer was lost may have started it, and spent on it what is missing now.
      return (await sql.one(findStarted, [start.row.id])) ? 'started' : verdict
    } catch (error) {
      if (isThere(error)) return 'started'
      throw error
    }
  }

  return {
    // The statement is of many; each has waited for it.
    add: (start) =>
      tracedWithin('start_generations', { kind: 'client' }, () => {
        return new Promise((told, failed) => {
          waiting.push({ start, since: performance.now(), told, failed })
          untraced(loop.soon)
        })
      }),
    alone,
  }
}

/** Takes those who have waited longest; of one idempotency key the first alone, since in one transaction both would hold its lock. */
function nextBatch(waiting: Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const taken = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
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

function giveUpOr(retry: (each: Waiting) => void, each: Waiting, error: unknown): void {
  if (isLate(each)) each.failed(error)
  else retry(each)
}

function isLate({ since }: { since: number }): boolean {
  return performance.now() - since > tryAgainMs
}

/** The database went away, perhaps after it had committed. */
function isAnswerLost(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'service_unavailable'
}

/** Or of the key that may spend it. */
function isOfMoney(verdict: StartVerdict): boolean {
  return verdict !== 'started' && verdict !== 'known' && verdict !== 'idempotency_in_progress'
}

function isThere(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23505' && typeof constraint === 'string' && /^generations_(?:\w+_)?pkey$/.test(constraint)
}
