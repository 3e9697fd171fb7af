import { setTimeout as pause } from 'node:timers/promises'
import type { SessionLocks } from '../../database/liveness/sessionLocks.ts'
import { type Context, contextFor, type Services } from '../../domain/context.ts'
import { deliveryLockOf, requeueLostDeliveries, scheduleDelivery } from '../../domain/webhooks/sending/deliveryJobs.ts'
import { makeDeliveryBatcher } from './deliveryBatcher.ts'
import { type DeliverySession, makeDeliverySession } from './deliverySession.ts'
import { serveSubscription } from './serveSubscription.ts'

export type Deliverer = {
  /** The job of a subscription: delivers what it has due. `troubled`: its last attempt had failed when the job was queued. */
  deliver(subscriptionId: string, options: { troubled: boolean }): Promise<void>
  /** Takes nothing more, lets what is in flight come to an end for some seconds, then cuts it; cut attempts are repeated. */
  stop(): void
  /** After the jobs have ended. */
  close(): void
}

/** Subscriptions that one runner serves side by side; two attempts of each are in flight at most. */
export const subscriptionsAtOnce = 200
/** Then a subscription leaves its place to others who wait for one, and comes back behind them. */
const sessionMs = 2000
/** While another process has the subscription, and while the database cannot be reached. */
const lockRetrySeconds = 1
/** Attempts in flight may go on for so long at a stop. */
const graceMsMax = 6000
const repairIntervalMs = 5000
const repairLateSeconds = 5

/**
 * Delivers webhooks, one subscription a job. A subscription is served by one job over all processes, since two attempts at a time are
 * all that it may get; a session's lock says by which, so that the death of a process frees it at once. A second job of a subscription
 * that is being served here only says so. Contract: docs/contract.md#retries.
 */
export function webhookDeliverer(
  services: Services,
  { locks, graceMs = graceMsMax }: { locks: SessionLocks; graceMs?: number },
): Deliverer {
  const context = contextFor(services, { kind: 'system' })
  const stopping = new AbortController()
  const cutting = new AbortController()
  const batcher = makeDeliveryBatcher(context, { stopping: stopping.signal, cutting: cutting.signal })
  const deliverySessions = new Map<string, DeliverySession>()
  const repairTimer = setInterval(() => void repair(context), repairIntervalMs).unref()
  void repair(context)

  async function deliver(subscriptionId: string, { troubled }: { troubled: boolean }): Promise<void> {
    const lock = deliveryLockOf(subscriptionId)
    const deliverySession = deliverySessions.get(subscriptionId)
    if (deliverySession) return deliverySession.requestRerun()
    const canContinue = () => !stopping.signal.aborted && locks.holds(lock)
    const own = makeDeliverySession({ troubled, canContinue, isContended: () => deliverySessions.size >= subscriptionsAtOnce, sessionMs })
    deliverySessions.set(subscriptionId, own)
    try {
      if (!(await locks.take(lock))) return await scheduleDelivery(context, subscriptionId, lockRetrySeconds)
      // Whoever came while the next job was queued has ended, believing in us.
      do {
        const seconds = await serveSubscription({ subscriptionId, deliverySession: own }, batcher)
        if (seconds !== null) await scheduleDelivery(context, subscriptionId, seconds)
      } while (own.consumeRerun())
    } finally {
      deliverySessions.delete(subscriptionId)
      locks.release(lock)
    }
  }

  return {
    async deliver(subscriptionId, options) {
      try {
        await deliver(subscriptionId, options)
      } catch (error) {
        // The queue's own repetition could be hours away; where ours cannot be queued either, what mends will find what is due.
        context.log.warn({ subscriptionId, error }, 'webhooks of a subscription wait')
        await pause(lockRetrySeconds * 1000, undefined, { signal: stopping.signal }).catch(() => undefined)
        await scheduleDelivery(context, subscriptionId, 0).catch(() => undefined)
      }
    },
    stop() {
      stopping.abort()
      for (const deliverySession of deliverySessions.values()) deliverySession.wake()
      setTimeout(() => cutting.abort(), graceMs).unref()
    },
    close() {
      clearInterval(repairTimer)
      batcher.close()
    },
  }
}

async function repair(context: Context): Promise<void> {
  try {
    const queued = await requeueLostDeliveries(context, repairLateSeconds)
    if (queued > 0) context.log.warn({ subscriptions: queued }, 'deliveries without a job were queued')
  } catch (error) {
    context.log.debug({ error }, 'deliveries could not be mended')
  }
}
