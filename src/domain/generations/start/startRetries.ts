import { makeConcurrencyLimiter } from '../../../concurrency/concurrencyLimiter.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { untraced } from '../../../tracing/tracing.ts'
import { isUnavailable } from '../../accountMutex.ts'
import { statement } from '../../sql.ts'
import { insertStarts, type NewStart, type StartContext, type StartVerdict } from './insertStarts.ts'

/** A start with a waiting caller. `since`: its arrival, in milliseconds of the monotonic clock. */
export type PendingStart = { start: NewStart; since: number; resolve(verdict: StartVerdict): void; reject(error: unknown): void }

export type StartRetries = {
  /** Retries the start alone. `isSuspect`: its account may have delayed the batch. */
  add(pending: PendingStart, options?: { isSuspect: boolean }): void
  /** True while a start of that account would delay its batch. */
  isBlocked(accountId: string): boolean
}

/** A start that has waited longer is refused instead of retried. With one more retry it is answered within five seconds. */
const retryWindowMs = 2_000
/** The share of the pool's connections that may wait for locked accounts. */
const connectionShare = 0.25

const findStarted = statement<{ id: string }>('find_started', 'select id from generations where id = $1')

/**
 * Retries starts alone, one per account at a time. Other starts of the account wait in memory, so a locked account takes only one
 * connection. A start that was committed before is found by its identifier.
 */
export function makeStartRetries(context: StartContext): StartRetries {
  const connections = makeConcurrencyLimiter({
    atOnce: Math.max(1, Math.floor((context.pool.options.max ?? 1) * connectionShare)),
    waitingMax: Number.POSITIVE_INFINITY,
  })
  const queues = new Map<string, PendingStart[]>()
  const stuck = new Set<string>()

  async function drain(accountId: string, queue: PendingStart[]): Promise<void> {
    for (let pending = queue.shift(); pending; pending = queue.shift()) await answer(accountId, pending)
    queues.delete(accountId)
  }

  async function answer(accountId: string, pending: PendingStart): Promise<void> {
    if (isLate(pending)) return pending.reject(new Refusal('service_unavailable'))
    await connections.run(async () => {
      try {
        const verdict = await startAlone(context, pending)
        stuck.delete(accountId)
        pending.resolve(verdict)
      } catch (error) {
        if (isUnavailable(error)) stuck.add(accountId)
        else stuck.delete(accountId)
        pending.reject(error)
      }
    })
  }

  return {
    add(pending, { isSuspect } = { isSuspect: false }) {
      const { accountId } = pending.start.row
      const key = accountId ?? ''
      if (isSuspect) stuck.add(key)
      const queue = queues.get(key)
      if (queue) queue.push(pending)
      else {
        const own = [pending]
        queues.set(key, own)
        untraced(() => void drain(key, own))
      }
    },
    isBlocked: (accountId) => stuck.has(accountId),
  }
}

/** Retries once when an answer was lost and time is left. */
async function startAlone(context: StartContext, { start, since }: PendingStart): Promise<StartVerdict> {
  if (isLate({ since })) throw new Refusal('service_unavailable')
  try {
    return await startOnce(context, start)
  } catch (error) {
    if (!isUnavailable(error) || isLate({ since })) throw error
    return startOnce(context, start)
  }
}

async function startOnce(context: StartContext, start: NewStart): Promise<StartVerdict> {
  try {
    const [verdict = 'crowded'] = await insertStarts(context, [start], { waitForLocks: true })
    if (!isRefusal(verdict)) return verdict
    // A statement with a lost answer may have started it, and spent the credits that are missing now.
    return (await context.sql.one(findStarted, [start.row.id])) ? 'started' : verdict
  } catch (error) {
    if (isDuplicateStart(error)) return 'started'
    throw error
  }
}

export function isLate({ since }: { since: number }): boolean {
  return performance.now() - since > retryWindowMs
}

/** A verdict that refuses the start: the account or the key lacks something. */
function isRefusal(verdict: StartVerdict): boolean {
  return verdict !== 'started' && verdict !== 'known' && verdict !== 'idempotency_in_progress'
}

function isDuplicateStart(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23505' && typeof constraint === 'string' && /^generations_(?:\w+_)?pkey$/.test(constraint)
}
