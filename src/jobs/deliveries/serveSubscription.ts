import { limits } from '../../contract/limits.ts'
import { hasMoreDue } from '../../domain/webhooks/sending/dueDeliveries.ts'
import type { DeliveryBatcher } from './deliveryBatcher.ts'
import type { DeliverySession } from './deliverySession.ts'

/** Deliveries that are due this soon are waited for here. The queue polls at the same interval. */
const waitMsMax = 1000

/**
 * Sends the due deliveries of a subscription, two at a time and the longest due first, until none is due or the session must yield. All
 * sent attempts are recorded then. Returns the seconds until the next job, `null` when no delivery is open.
 * Contract: docs/contract.md#retries.
 */
export async function serveSubscription(
  { subscriptionId, deliverySession }: { subscriptionId: string; deliverySession: DeliverySession },
  batcher: DeliveryBatcher,
): Promise<number | null> {
  const sending = workInProgress(deliverySession.wake)
  const writing = workInProgress(deliverySession.wake)
  const due: string[] = []
  let nextFetchAt = 0
  /** The next due times of deliveries recorded since the last fetch started. That fetch may have missed them. */
  let redueTimes: number[] = []

  async function fetchDue(): Promise<void> {
    redueTimes = []
    const found = await batcher.due(subscriptionId)
    due.push(...found.due)
    const next = performance.now() + (found.waitSeconds ?? Number.POSITIVE_INFINITY) * 1000
    nextFetchAt = hasMoreDue(found) ? 0 : Math.min(next, ...redueTimes)
  }

  async function send(deliveryId: string): Promise<void> {
    const sent = await batcher.send(deliveryId)
    if (!sent) return
    const { report, written } = sent
    if (report.outcome === 'failed') deliverySession.failed()
    const next = 'pauseSeconds' in report ? report.pauseSeconds : null
    const dueAgainAt = next === null ? Number.POSITIVE_INFINITY : performance.now() + next * 1000
    writing.add(
      written.then(() => {
        redueTimes.push(dueAgainAt)
        nextFetchAt = Math.min(nextFetchAt, dueAgainAt)
      }),
    )
  }

  async function deliverUntilIdle(): Promise<number | null> {
    while (!deliverySession.shouldYield()) {
      sending.throwFailure()
      writing.throwFailure()
      if (deliverySession.consumeRerun()) nextFetchAt = 0
      if (due.length === 0 && nextFetchAt <= performance.now()) await fetchDue()
      while (due.length > 0 && sending.count() < limits.webhookInFlightPerSubscription) sending.add(send(due.shift() as string))
      if (sending.count() + writing.count() === 0) {
        if (nextFetchAt === Number.POSITIVE_INFINITY) return null
        const waitMs = nextFetchAt - performance.now()
        if (waitMs > waitMsMax) return waitMs / 1000
      }
      await deliverySession.wait(due.length > 0 ? Number.POSITIVE_INFINITY : Math.max(0, nextFetchAt - performance.now()))
    }
    return 0
  }

  const [outcome] = await Promise.allSettled([deliverUntilIdle()])
  await sending.end()
  await writing.end()
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

type WorkInProgress = {
  add(work: Promise<void>): void
  count(): number
  /** Resolves when all work has ended, also with an error. */
  end(): Promise<void>
  /** Throws the first error of the work. */
  throwFailure(): void
}

function workInProgress(onEnd: () => void): WorkInProgress {
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []
  return {
    add(work) {
      const settled = work
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          pending.delete(settled)
          onEnd()
        })
      pending.add(settled)
    },
    count: () => pending.size,
    end: async () => void (await Promise.all(pending)),
    throwFailure() {
      if (failures.length > 0) throw failures[0]
    },
  }
}
