import { limits } from '../contract/limits.ts'
import { mayBeMore } from '../domain/webhooks/dueDeliveries.ts'
import type { DeliveryCalls } from './deliveryCalls.ts'
import type { DeliveryTurn } from './deliveryTurn.ts'

/** What is due so soon is waited for here: the queue is looked at as often. */
const waitMsMax = 1000

/**
 * Delivers what a subscription has due, two at a time and the one longest due first, until nothing is or the turn is over; what was
 * sent is written down then. Returns the seconds after which somebody has to come back, `null` when nothing is open.
 * Contract: docs/contract.md#retries.
 */
export async function serveSubscription(
  { subscriptionId, turn }: { subscriptionId: string; turn: DeliveryTurn },
  calls: DeliveryCalls,
): Promise<number | null> {
  const sending = workInProgress(turn.wake)
  const writing = workInProgress(turn.wake)
  const due: string[] = []
  let lookAt = 0
  /** When what was written down since the last look began is due again: that look may not have seen it. */
  let unseen: number[] = []

  async function look(): Promise<void> {
    unseen = []
    const found = await calls.due(subscriptionId)
    due.push(...found.due)
    const next = performance.now() + (found.waitSeconds ?? Number.POSITIVE_INFINITY) * 1000
    lookAt = mayBeMore(found) ? 0 : Math.min(next, ...unseen)
  }

  async function send(deliveryId: string): Promise<void> {
    const sent = await calls.send(deliveryId)
    if (!sent) return
    const { report, written } = sent
    if (report.outcome === 'failed') turn.failed()
    const next = 'pauseSeconds' in report ? report.pauseSeconds : null
    const dueAgainAt = next === null ? Number.POSITIVE_INFINITY : performance.now() + next * 1000
    writing.add(
      written.then(() => {
        unseen.push(dueAgainAt)
        lookAt = Math.min(lookAt, dueAgainAt)
      }),
    )
  }

  async function untilNothingIsDue(): Promise<number | null> {
    while (!turn.isOver()) {
      sending.throwFailure()
      writing.throwFailure()
      if (turn.takeAgain()) lookAt = 0
      if (due.length === 0 && lookAt <= performance.now()) await look()
      while (due.length > 0 && sending.count() < limits.webhookInFlightPerSubscription) sending.add(send(due.shift() as string))
      if (sending.count() + writing.count() === 0) {
        if (lookAt === Number.POSITIVE_INFINITY) return null
        const waitMs = lookAt - performance.now()
        if (waitMs > waitMsMax) return waitMs / 1000
      }
      await turn.wait(due.length > 0 ? Number.POSITIVE_INFINITY : Math.max(0, lookAt - performance.now()))
    }
    return 0
  }

  const [outcome] = await Promise.allSettled([untilNothingIsDue()])
  await sending.end()
  await writing.end()
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

type WorkInProgress = {
  add(work: Promise<void>): void
  count(): number
  /** Resolves when nothing is under way, however it went. */
  end(): Promise<void>
  /** Throws what any of it has failed with. */
  throwFailure(): void
}

function workInProgress(onEnd: () => void): WorkInProgress {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  return {
    add(work) {
      const kept = work
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          underWay.delete(kept)
          onEnd()
        })
      underWay.add(kept)
    },
    count: () => underWay.size,
    end: async () => void (await Promise.all(underWay)),
    throwFailure() {
      if (failures.length > 0) throw failures[0]
    },
  }
}
