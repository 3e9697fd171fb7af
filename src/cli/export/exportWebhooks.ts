import type { Context } from '../../domain/context.ts'
import { escapeReply, refusalText } from '../../domain/webhooks/deliveries/escapeReply.ts'
import { listDeliveries, loadAttempts } from '../../domain/webhooks/deliveries/listDeliveries.ts'
import { listSubscriptions } from '../../domain/webhooks/subscriptions/findSubscription.ts'
import { keyedPages } from './keyedPages.ts'

const subscriptionsOf = (inside: Context, teamId: string) =>
  keyedPages(
    (window) => listSubscriptions(inside, { teamId, withDeleted: true }, window),
    ({ id }) => id,
    ({ id, address, events, paused, createdAt, deletedAt }) => ({ id, address, events, paused, createdAt, deletedAt }),
  )

/** The webhooks of a team without their secrets, including deleted ones whose log is readable. */
export function exportedWebhooks(inside: Context, teamId: string): AsyncGenerator<object[]> {
  return subscriptionsOf(inside, teamId)
}

/** Their delivery logs with every attempt, without bodies, which contain working links to results. */
export async function* exportedDeliveries(inside: Context, teamId: string): AsyncGenerator<object[]> {
  for await (const subscriptions of subscriptionsOf(inside, teamId)) {
    for (const { id } of subscriptions) {
      const pages = keyedPages(
        (window) => listDeliveries(inside, { subscriptionIds: [id] }, window),
        ({ cursor }) => cursor,
        (delivery) => delivery,
      )
      for await (const deliveries of pages) yield await withAttempts(inside, deliveries)
    }
  }
}

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]

async function withAttempts(inside: Context, deliveries: readonly Delivery[]): Promise<object[]> {
  const attempts = await loadAttempts(
    inside,
    deliveries.map(({ id }) => id),
  )
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return deliveries.map(({ id, subscriptionId, event, eventNumber, isTest, createdAt, state, nextAttemptAt }) => ({
    id,
    subscriptionId,
    event,
    eventNumber,
    isTest,
    time: createdAt,
    state,
    nextAttemptAt,
    attemptLog: (byDelivery.get(id) ?? []).map(({ number, begunAt, tookSeconds, responseCode, refusal, responseStart }) => ({
      number,
      time: begunAt,
      durationSeconds: tookSeconds,
      responseCode,
      refusalText: refusalText(refusal, responseStart),
      responseSnippet: escapeReply(responseStart),
    })),
  }))
}
