import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { type AlertKind, alertKinds } from './AlertSubscription.ts'
import { type WebhookEvent, webhookEvents } from './WebhookSubscription.ts'

export const webhookDeliveryStates = ['pending', 'retrying', 'delivered', 'failed'] as const
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number]

/** What a delivery belongs to: a subscription to events, the callback of a start, or a subscription to alerts. */
export const deliveryKinds = ['webhook', 'callback', 'alert'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/** What a delivery notifies of: the end of a generation, or an alert. */
export const deliveryEvents = [...webhookEvents, ...alertKinds] as const
export type DeliveryEvent = WebhookEvent | AlertKind

/**
 * One event for one subscription. Every attempt sends exactly the bytes of `body`. `responseCode`, `refusal` and `responseStart` (the
 * first bytes of the response) belong to the latest attempt. `nextAttemptAt` is set while the delivery is open.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.text().primary(),
    subscriptionId: p.text(),
    eventNumber: p.integer(),
    event: p.text().$type<DeliveryEvent>(),
    isTest: p.boolean(),
    body: p.blob().$type<Buffer>(),
    createdAt: p.datetime(),
    state: p.text().$type<WebhookDeliveryState>(),
    attempts: p.integer(),
    nextAttemptAt: p.datetime().strictNullable(),
    responseCode: p.integer().strictNullable(),
    refusal: p.text().strictNullable(),
    responseStart: p.blob().$type<Buffer>().strictNullable(),
  },
})
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>
