import { momentOf } from '../../contract/shapes/credits.ts'
import type { DeliveryRecord, WebhookRecord } from '../../contract/shapes/webhookRecord.ts'
import { escapeReply, refusalText } from '../../domain/webhooks/deliveries/escapeReply.ts'
import type { LoggedDelivery } from '../../domain/webhooks/deliveries/findDelivery.ts'
import type { WebhookSubscription } from '../../entities/WebhookSubscription.ts'
import { secretOverlapEnd } from './subscriptionPage.ts'

/** A subscription as REST shows it. */
export function webhookDocument(subscription: WebhookSubscription, now: Date): WebhookRecord {
  const { id, address, events, paused, createdAt, lastDeliveryDay, lastDeliveryOutcome } = subscription
  const secretOverlapEndsAt = momentOf(secretOverlapEnd(subscription, now))
  return { id, address, events, paused, createdAt: momentOf(createdAt), secretOverlapEndsAt, lastDeliveryDay, lastDeliveryOutcome }
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
