import type { Context } from '../../domain/context.ts'
import { listAlertSubscriptions } from '../../domain/webhooks/alerts/findAlertSubscription.ts'
import { escapeReply, refusalText } from '../../domain/webhooks/deliveries/escapeReply.ts'
import { listDeliveries, loadAttempts } from '../../domain/webhooks/deliveries/listDeliveries.ts'
import { listSubscriptions } from '../../domain/webhooks/subscriptions/findSubscription.ts'
import { keyedPages } from './keyedPages.ts'

const subscriptionsOf = (inside: Context, teamId: string) =>
  keyedPages(
    (window) => listSubscriptions(inside, { teamId, withDeleted: true }, window),
    ({ id }) => id,
    ({ id, address, events, paused, autoPausedAt, createdAt, deletedAt }) => ({
      id,
      address,
      events,
      paused,
      autoPausedAt,
      createdAt,
      deletedAt,
    }),
  )

/** The webhooks of a team without their secrets, including deleted ones whose log is readable. */
export function exportedWebhooks(inside: Context, teamId: string): AsyncGenerator<object[]> {
  return subscriptionsOf(inside, teamId)
}

const alertSubscriptionsOf = (inside: Context, teamId: string) =>
  keyedPages(
    (window) => listAlertSubscriptions(inside, { teamId, withDeleted: true }, window),
    ({ id }) => id,
    ({ id, address, kinds, paused, createdAt, deletedAt }) => ({ id, address, kinds, paused, createdAt, deletedAt }),
  )

/** The subscriptions to alerts of a team without their secrets, including deleted ones whose log is readable. */
export function exportedAlertSubscriptions(inside: Context, teamId: string): AsyncGenerator<object[]> {
  return alertSubscriptionsOf(inside, teamId)
}

/** The delivery logs of both, and of callbacks, with every attempt, without bodies, which contain working links to results. */
export async function* exportedDeliveries(inside: Context, teamId: string): AsyncGenerator<object[]> {
  for await (const subscriptions of subscriptionsOf(inside, teamId)) {
    for (const { id } of subscriptions) yield* logOf(inside, { subscriptionIds: [id] })
  }
  for await (const subscriptions of alertSubscriptionsOf(inside, teamId)) {
    for (const { id } of subscriptions) yield* logOf(inside, { subscriptionIds: [], alertSubscriptionIds: [id] })
  }
  yield* logOf(inside, { subscriptionIds: [], callbacksOf: teamId })
}

async function* logOf(inside: Context, receivers: Parameters<typeof listDeliveries>[1]): AsyncGenerator<object[]> {
  const pages = keyedPages(
    (window) => listDeliveries(inside, receivers, window),
    ({ cursor }) => cursor,
    (delivery) => delivery,
  )
  for await (const deliveries of pages) yield await withAttempts(inside, deliveries)
}

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]

async function withAttempts(inside: Context, deliveries: readonly Delivery[]): Promise<object[]> {
  const attempts = await loadAttempts(
    inside,
    deliveries.map(({ id }) => id),
  )
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return deliveries.map(({ id, kind, subscriptionId, address, event, eventNumber, isTest, createdAt, state, nextAttemptAt }) => ({
    id,
    kind,
    subscriptionId,
    address,
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
