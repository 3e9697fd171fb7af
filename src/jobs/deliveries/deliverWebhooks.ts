import { setTimeout as pause } from 'node:timers/promises'
import type { SessionLocks } from '../../database/liveness/sessionLocks.ts'
import { type Context, contextFor, type Services } from '../../domain/context.ts'
import { deliveryLockOf, requeueLostDeliveries, scheduleDelivery } from '../../domain/webhooks/sending/deliveryJobs.ts'
import { type DeliveryBatcher, makeDeliveryBatcher } from './deliveryBatcher.ts'
import { type DeliverySession, makeDeliverySession } from './deliverySession.ts'
import { type DeliverySlot, makeDeliverySlots } from './deliverySlots.ts'
import { serveSubscription } from './serveSubscription.ts'

export type Deliverer = {
  /** The number of jobs that one runner runs at a time. Half of them may wait until their team has a free slot. */
  jobsAtOnce: number
  /** The job of a subscription: sends its due deliveries. `troubled`: its last attempt had failed when the job was queued. */
  deliver(subscriptionId: string, options: { troubled: boolean }): Promise<void>
  /** Starts no more attempts. Attempts in flight get some seconds and are then aborted; another process repeats them. */
  stop(): void
  /** Call it after the jobs have ended. */
  close(): void
}

/** Subscriptions that one runner serves concurrently, with at most two attempts in flight each. */
const defaultSubscriptionsAtOnce = 200
/** After this time a subscription yields to waiting ones and queues again behind them. */
const defaultSessionMs = 2000
/** The pause while another process serves the subscription, or while the database is unreachable. */
const lockRetrySeconds = 1
/** How long a subscription leaves its slot to the one of its team that waited for it. */
const turnSeconds = 1
/** How long attempts in flight may run on after a stop. */
const graceMsMax = 6000
const repairIntervalMs = 5000
const repairLateSeconds = 5

type DelivererOptions = { locks: SessionLocks; graceMs?: number; subscriptionsAtOnce?: number; sessionMs?: number }

/**
 * Delivers webhooks, one job per subscription. Only one job of all processes serves a subscription, so that it gets at most two attempts
 * at a time. A session lock ensures this; the end of a process frees it at once. A second job of the same subscription in this process
 * requests a rerun and ends. A team with many subscriptions gets no more than its share of the slots of a runner
 * ({@link makeDeliverySlots}), and its subscriptions take turns.
 * Contract: docs/contract.md#retries.
 */
export function webhookDeliverer(
  services: Services,
  { locks, graceMs = graceMsMax, subscriptionsAtOnce = defaultSubscriptionsAtOnce, sessionMs = defaultSessionMs }: DelivererOptions,
): Deliverer {
  const context = contextFor(services, { kind: 'system' })
  const [stopping, cutting] = [new AbortController(), new AbortController()]
  const batcher = makeDeliveryBatcher(context, { stopping: stopping.signal, cutting: cutting.signal })
  const deliverySessions = new Map<string, DeliverySession>()
  const slots = makeDeliverySlots(context, subscriptionsAtOnce)
  const repairTimer = setInterval(() => void repair(context), repairIntervalMs).unref()
  void repair(context)

  async function deliver(subscriptionId: string, { troubled }: { troubled: boolean }): Promise<void> {
    const lock = deliveryLockOf(subscriptionId)
    const deliverySession = deliverySessions.get(subscriptionId)
    if (deliverySession) return deliverySession.requestRerun()
    let slot: DeliverySlot | undefined
    const own = makeDeliverySession({
      troubled,
      canContinue: () => !stopping.signal.aborted && locks.holds(lock),
      isContended: () => slot?.isWanted() === true,
      sessionMs,
    })
    deliverySessions.set(subscriptionId, own)
    let seconds: number | null
    let next: string | undefined
    try {
      slot = await slots.take(subscriptionId, { troubled })
      if (slot.pauseSeconds !== null) seconds = slot.pauseSeconds
      else if (await locks.take(lock)) seconds = await serveUntilIdle({ subscriptionId, deliverySession: own }, batcher)
      else seconds = lockRetrySeconds
    } finally {
      // A job of this subscription that starts after this serves it itself.
      deliverySessions.delete(subscriptionId)
      next = slot?.release()
      locks.release(lock)
    }
    await scheduleNext(context, { subscriptionId, seconds, next })
  }

  return {
    jobsAtOnce: 2 * subscriptionsAtOnce,
    async deliver(subscriptionId, options) {
      try {
        await deliver(subscriptionId, options)
      } catch (error) {
        // The queue's own retry could be hours away. If ours cannot be queued either, the repair finds the due deliveries.
        context.log.warn({ subscriptionId, error }, 'the deliveries of a subscription are delayed')
        await pause(lockRetrySeconds * 1000, undefined, { signal: stopping.signal }).catch(() => undefined)
        await scheduleDelivery(context, subscriptionId, 0).catch(() => undefined)
      }
    },
    stop() {
      stopping.abort()
      slots.close()
      for (const deliverySession of deliverySessions.values()) deliverySession.wake()
      setTimeout(() => cutting.abort(), graceMs).unref()
    },
    close() {
      clearInterval(repairTimer)
      batcher.close()
    },
  }
}

async function serveUntilIdle(served: { subscriptionId: string; deliverySession: DeliverySession }, batcher: DeliveryBatcher) {
  let seconds: number | null
  do seconds = await serveSubscription(served, batcher)
  while (served.deliverySession.consumeRerun())
  return seconds
}

/** Queues the job of a subscription after its session, behind the one of its team that waited for the slot. */
async function scheduleNext(
  context: Context,
  { subscriptionId, seconds, next }: { subscriptionId: string; seconds: number | null; next: string | undefined },
): Promise<void> {
  if (next !== undefined) await scheduleDelivery(context, next, 0)
  if (seconds !== null) await scheduleDelivery(context, subscriptionId, next === undefined ? seconds : Math.max(seconds, turnSeconds))
}

async function repair(context: Context): Promise<void> {
  try {
    const queued = await requeueLostDeliveries(context, repairLateSeconds)
    if (queued > 0) context.log.warn({ subscriptions: queued }, 'deliveries without a job were queued')
  } catch (error) {
    context.log.debug({ error }, 'deliveries without a job could not be queued')
  }
}
