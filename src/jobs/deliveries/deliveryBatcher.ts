import { setTimeout as pause } from 'node:timers/promises'
import { makeBatcher } from '../../concurrency/batcher.ts'
import { makeTokenBuckets } from '../../concurrency/tokenBuckets.ts'
import { limits } from '../../contract/limits.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../../domain/context.ts'
import { type AttemptOptions, attemptDelivery } from '../../domain/webhooks/sending/attemptDelivery.ts'
import { type BegunAttempt, beginAttempts } from '../../domain/webhooks/sending/beginAttempts.ts'
import { type DueDeliveries, dueDeliveries } from '../../domain/webhooks/sending/dueDeliveries.ts'
import { type AttemptReport, endAttempts } from '../../domain/webhooks/sending/endAttempts.ts'
import { retryDelaySeconds } from '../../domain/webhooks/sending/retryDelay.ts'
import { makeConnectionPool } from '../../network/connectionPool.ts'
import { tracedAttempt } from '../runners/jobSpans.ts'
import { makeInFlightDeliveries } from './inFlightDeliveries.ts'

/** `written`: when it stands in the database. */
export type SentDelivery = { report: AttemptReport; written: Promise<void> }

/** What all subscriptions that are served here share: statements for many at a time, and connections to receivers. */
export type DeliveryBatcher = {
  due(subscriptionId: string): Promise<DueDeliveries>
  /** Makes one attempt. `undefined` when the delivery is not due any more, or was set aside. */
  send(deliveryId: string): Promise<SentDelivery | undefined>
  close(): void
}

const atOnceMax = 400
/** How long a connection waits for the next request to its receiver. */
const idleMilliseconds = 2000
/**
 * To an origin that has not accepted a delivery yet, so many at once and then one a second: enough to try a receiver, and no flood for
 * somebody who never asked for webhooks.
 */
const unconfirmed = { burst: 60, perSecond: 1 }
/** Before a report is written again that the database did not take. */
const unreachableMs = 1000

/** All fail with it, and each may come again: the database cannot be reached. */
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
    // No more than are sent at once: a turn that ends drops the rest, with its tokens.
    const wanted = Math.min(found.due.length, limits.webhookInFlightPerSubscription)
    const { granted, waitSeconds } = buckets.take(found.unconfirmedOrigin, wanted)
    return { ...found, due: found.due.slice(0, granted), waitSeconds: granted < found.due.length ? waitSeconds : found.waitSeconds }
  }

  /** Nothing when it is not due any more, or was set aside. */
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
        // It counts as cut when nobody is left to write it down.
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
    // A fault of ours; the receiver is told later, as after any other failure.
    const { deliveryId, number } = begun
    context.log.error({ deliveryId, error }, 'a webhook could not be sent')
    const pauseSeconds = retryDelaySeconds(context.settings.webhookFirstRetrySeconds, begun.retriesLeft)
    const how = { tookSeconds: 0, responseCode: null, start: null }
    return { deliveryId, number, ...how, outcome: 'failed', refusal: 'the request could not be made', pauseSeconds }
  }
}
