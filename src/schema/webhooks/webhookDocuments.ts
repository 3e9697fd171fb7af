import { momentOf } from '../../contract/shapes/credits.ts'
import type { DeliveryRecord, WebhookRecord } from '../../contract/shapes/webhookRecord.ts'
import { escapeReply, refusalText } from '../../domain/webhooks/deliveries/escapeReply.ts'
import type { LoggedDelivery } from '../../domain/webhooks/deliveries/findDelivery.ts'
import { isPaused } from '../../domain/webhooks/subscriptions/findSubscription.ts'
import type { WebhookSubscription } from '../../entities/WebhookSubscription.ts'
import { secretOverlapEnd } from './subscriptionPage.ts'

/** A subscription as REST shows it. */
export function webhookDocument(subscription: WebhookSubscription, now: Date): WebhookRecord {
  const { id, address, events, createdAt, lastDeliveryDay, lastDeliveryOutcome } = subscription
  return {
    id,
    address,
    events,
    paused: isPaused(subscription),
    autoPausedAt: momentOf(subscription.autoPausedAt),
    createdAt: momentOf(createdAt),
    secretOverlapEndsAt: momentOf(secretOverlapEnd(subscription, now)),
    lastDeliveryDay,
    lastDeliveryOutcome,
  }
}

/** A delivery as REST shows it. */
export function deliveryDocument(delivery: LoggedDelivery): DeliveryRecord {
  const {
    id,
    kind,
    subscriptionId,
    address,
    event,
    eventNumber,
    isTest,
    createdAt,
    state,
    attempts,
    responseCode,
    refusal,
    responseStart,
  } = delivery
  return {
    id,
    kind,
    subscriptionId,
    address,
    event,
    eventNumber,
    isTest,
    time: momentOf(createdAt),
    state,
    attempts,
    responseCode,
    refusalText: refusalText(refusal, responseStart),
    responseSnippet: escapeReply(responseStart),
    nextAttemptAt: momentOf(delivery.nextAttemptAt),
  }
}
