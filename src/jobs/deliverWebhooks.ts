import { setTimeout as pause } from 'node:timers/promises'
import { makeWakeSignal } from '../concurrency/wakeSignal.ts'
import { type Context, contextFor, type Services } from '../domain/context.ts'
import { attemptDelivery } from '../domain/webhooks/attemptDelivery.ts'
import { type LeasedDelivery, leaseDeliveries } from '../domain/webhooks/leaseDeliveries.ts'
import type { AttemptReport } from '../domain/webhooks/recordAttempts.ts'
import { retryPauseSeconds } from '../domain/webhooks/retryPause.ts'
import { keptConnections } from '../network/keptConnections.ts'
import { attemptReports } from './attemptReports.ts'

export type Deliverer = {
  /** Takes nothing more, lets what is in flight come to an end for some seconds, then cuts it; cut attempts are repeated. */
  stop(): Promise<void>
}

/** Attempts in flight in this process. They wait for others and cost little. */
const inFlightMax = 400
/** Of them, for receivers whose last attempt failed: so many can hang before any other receiver has to wait. */
const troubledMax = 200
/** A notice wakes at once; this is for one that was not heard, for retries, and for what a dead process left. */
const lookMs = 1000
/** How long a connection waits for the next request to its receiver. */
const idleMilliseconds = 2000
/** How long attempts in flight may go on at a stop. */
const graceMsMax = 8000

/**
 * Delivers webhooks until stopped: leases what is due, sends it side by side, and writes down how it went, each in as few statements
 * as there is time for. It stands beside the job queue, whose slots a hanging receiver would occupy. `holder` names this process in
 * its leases. Spec: Events, Delivery rules. Contract: section 5.
 */
export function deliverWebhooks(services: Services, holder: string, { graceMs = graceMsMax } = {}): Deliverer {
  const context = contextFor(services, { kind: 'system' })
  const wakeSignal = makeWakeSignal()
  const cutting = new AbortController()
  const connections = keptConnections({ max: inFlightMax, idleMilliseconds })
  const reports = attemptReports(context, { atOnceMax: inFlightMax })
  const inFlight = new Set<LeasedDelivery>()
  let stopping = false
  const unsubscribe = context.notices.subscribe('delivery', 'due', wakeSignal.wake)
  const running = run()

  async function run(): Promise<void> {
    while (!stopping || inFlight.size > 0 || reports.count() > 0) {
      try {
        await writeDown()
        if (!stopping) await takeMore()
      } catch (error) {
        context.log.warn({ error }, 'webhook deliveries wait for the database')
        if (stopping) reports.forget()
        else await pause(lookMs)
      }
      if (!stopping || inFlight.size > 0) await wakeSignal.wait(lookMs)
    }
  }

  async function writeDown(): Promise<void> {
    for (const report of await reports.writeDown()) {
      if ('pauseSeconds' in report && report.pauseSeconds !== null) wakeSignal.wakeIn(report.pauseSeconds * 1000, { atMost: lookMs })
    }
    if (reports.count() > 0) wakeSignal.wake()
  }

  async function takeMore(): Promise<void> {
    const room = inFlightMax - inFlight.size
    if (room <= 0) return
    const troubledRoom = troubledMax - [...inFlight].filter(({ troubled }) => troubled).length
    for (const leased of await leaseDeliveries(context, { holder, deliveriesMax: room, troubledMax: troubledRoom })) void begin(leased)
  }

  async function begin(leased: LeasedDelivery): Promise<void> {
    inFlight.add(leased)
    const report = await attemptDelivery(context, leased, { signal: cutting.signal, connections }).catch((error: unknown) =>
      unsent(context, leased, error),
    )
    inFlight.delete(leased)
    reports.add(report)
    wakeSignal.wake()
  }

  return {
    async stop() {
      stopping = true
      unsubscribe()
      wakeSignal.wake()
      const timer = setTimeout(() => cutting.abort(), graceMs)
      await running
      clearTimeout(timer)
      wakeSignal.close()
      connections.close()
    },
  }
}

/** A fault of ours; the receiver is told later, as after any other failure. */
function unsent(context: Context, { subscriptionId, deliveryId, lease, retriesLeft }: LeasedDelivery, error: unknown): AttemptReport {
  context.log.error({ deliveryId, error }, 'a webhook could not be sent')
  const pauseSeconds = retryPauseSeconds(context.settings.webhookFirstRetrySeconds, retriesLeft)
  const how = { begunAt: context.clock.now(), tookSeconds: 0, responseCode: null, start: null }
  return { subscriptionId, deliveryId, lease, ...how, outcome: 'failed', refusal: 'the request could not be made', pauseSeconds }
}
