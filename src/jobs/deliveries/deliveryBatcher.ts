import { setTimeout as pause } from 'node:timers/promises'
import { makeBatcher } from '../../concurrency/batcher.ts'
import { makeTokenBuckets } from '../../concurrency/tokenBuckets.ts'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context, Log } from '../../domain/context.ts'
import { type AttemptOptions, attemptDelivery } from '../../domain/webhooks/sending/attemptDelivery.ts'
import { type BegunAttempt, beginAttempts } from '../../domain/webhooks/sending/beginAttempts.ts'
import { type DueDeliveries, dueDeliveries } from '../../domain/webhooks/sending/dueDeliveries.ts'
import { type AttemptReport, endAttempts } from '../../domain/webhooks/sending/endAttempts.ts'
import { retryDelaySeconds } from '../../domain/webhooks/sending/retryDelay.ts'
import { makeConnectionPool } from '../../network/connectionPool.ts'
import { tracedAttempt } from '../runners/jobSpans.ts'

/** `written` resolves when the report is in the database. */
export type SentDelivery = { report: AttemptReport; written: Promise<void> }

/** Shared by all subscriptions of this process: batched statements, and connections to receivers. */
export type DeliveryBatcher = {
  due(subscriptionId: string): Promise<DueDeliveries>
  /** Makes one attempt. `undefined` when the delivery is no longer due, or is quarantined. */
  send(deliveryId: string): Promise<SentDelivery | undefined>
  close(): void
}

const atOnceMax = 400
/** How long an idle connection to a receiver stays open. */
const idleMilliseconds = 2000
/**
 * The rate limit of an origin that has not accepted a delivery yet: a burst, then one a second. It is enough to test a receiver, and it
 * protects servers that never subscribed.
 */
const unconfirmed = { burst: 60, perSecond: 1 }
/** The pause before a report is written again. */
const unreachableMs = 1000

/** The database is unreachable: the error applies to the whole batch, and each item may be retried. */
const isShared = (error: unknown) => error instanceof Refusal

export function makeDeliveryBatcher(context: Context, signals: { stopping: AbortSignal; cutting: AbortSignal }): DeliveryBatcher {
  const connections = makeConnectionPool({ max: atOnceMax, idleMilliseconds })
  const inFlight = makeInFlightDeliveries(context.log)
  const options = { atOnceMax, isShared }
  const readDue = makeBatcher((ids: string[]) => dueDeliveries(context, ids, inFlight.ids()), options)
  const buckets = makeTokenBuckets(unconfirmed)
  const begin = makeBatcher((ids: string[]) => beginAttempts(context, ids), options)
  const end = makeBatcher(async (reports: AttemptReport[]) => {
    await endAttempts(context, reports)
    return reports
  }, options)

  async function due(subscriptionId: string): Promise<DueDeliveries> {
    const found = await readDue(subscriptionId)
    if (found.unconfirmedOrigin === null || found.due.length === 0) return found
    // At most the number that is sent concurrently: a session that ends drops the rest with their tokens.
    const wanted = Math.min(found.due.length, limits.webhookInFlightPerSubscription)
    const { granted, waitSeconds } = buckets.take(found.unconfirmedOrigin, wanted)
    return { ...found, due: found.due.slice(0, granted), waitSeconds: granted < found.due.length ? waitSeconds : found.waitSeconds }
  }

  /** `undefined` when the delivery is no longer due, or is quarantined. */
  async function beginAttempt(deliveryId: string): Promise<BegunAttempt | undefined> {
    inFlight.take(deliveryId)
    try {
      const begun = await begin(deliveryId)
      if (!begun) inFlight.remove(deliveryId)
      return begun
    } catch (error) {
      if (!isShared(error)) return inFlight.quarantine(deliveryId, error)
      inFlight.remove(deliveryId)
      throw error
    }
  }

  async function persistReport(report: AttemptReport): Promise<void> {
    for (;;) {
      try {
        await end(report)
        return inFlight.remove(report.deliveryId)
      } catch (error) {
        if (!isShared(error)) return inFlight.quarantine(report.deliveryId, error)
        // Without a report, the attempt counts as cut off.
        if (signals.stopping.aborted) return
        await pause(unreachableMs, undefined, { signal: signals.stopping }).catch(() => undefined)
      }
    }
  }

  return {
    due,
    async send(deliveryId) {
      const begun = await beginAttempt(deliveryId)
      if (!begun) return undefined
      const report = await tracedAttempt(context, begun, () => attempt(context, begun, { signal: signals.cutting, connections }))
      context.metrics.deliveryAttempt({ outcome: report.outcome, seconds: report.tookSeconds })
      return { report, written: persistReport(report) }
    },
    close() {
      connections.close()
      inFlight.close()
    },
  }
}

async function attempt(context: Context, begun: BegunAttempt, options: AttemptOptions): Promise<AttemptReport> {
  try {
    return await attemptDelivery(context, begun, options)
  } catch (error) {
    // Our own error. The delivery is retried like after any other failure.
    const { deliveryId, number } = begun
    context.log.error({ deliveryId, error }, 'a webhook could not be sent')
    const pauseSeconds = retryDelaySeconds(context.settings.webhookFirstRetrySeconds, begun.retriesLeft)
    const how = { tookSeconds: 0, responseCode: null, start: null }
    return { deliveryId, number, ...how, outcome: 'failed', refusal: 'the request could not be made', pauseSeconds }
  }
}

/** Deliveries that this process is about to send, sends, or has not recorded yet. No session takes them a second time. */
type InFlightDeliveries = {
  ids(): string[]
  take(deliveryId: string): void
  remove(deliveryId: string): void
  /** Skips a delivery for a while that cannot be started or recorded, so that it does not block others. */
  quarantine(deliveryId: string, error: unknown): undefined
  close(): void
}

const quarantineMs = 60_000

function makeInFlightDeliveries(log: Log): InFlightDeliveries {
  const inFlight = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  return {
    ids: () => [...inFlight],
    take: (deliveryId) => void inFlight.add(deliveryId),
    remove: (deliveryId) => void inFlight.delete(deliveryId),
    quarantine(deliveryId, error) {
      log.error({ deliveryId, error }, 'a delivery could not be started or recorded, and is skipped for a while')
      const timer = setTimeout(() => {
        timers.delete(timer)
        inFlight.delete(deliveryId)
      }, quarantineMs)
      timers.add(timer.unref())
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
