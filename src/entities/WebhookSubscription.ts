import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** One event per final state of a generation. Contract: docs/contract.md#events. */
export const webhookEvents = ['generation.completed', 'generation.failed', 'generation.cancelled'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/**
 * `secret` and `olderSecret` are sealed. Both sign deliveries until `olderSecretUntil`. A deleted subscription has neither.
 * `kind`: rows of the kind `alerts` are read as AlertSubscription; their `events` are kinds of alerts. Rows of the kind `callbacks` are
 * hidden: origins of callbacks, always paused, with a copy of the team's secret.
 * `paused`: a person or tool paused it. `autoPausedAt`: when it was paused because every attempt had failed for days; null otherwise.
 * `secretHolderId`: the person to whom `secret` was shown, null for internal tools.
 */
export const WebhookSubscription = defineEntity({
  name: 'WebhookSubscription',
  tableName: 'webhook_subscriptions',
  properties: {
    id: p.text().primary(),
    teamId: p.text(),
    address: p.text(),
    kind: p.text().$type<'events' | 'alerts' | 'callbacks'>(),
    events: p.array<WebhookEvent>(),
    paused: p.boolean(),
    autoPausedAt: p.datetime().strictNullable(),
    secret: p.blob().$type<Buffer>().strictNullable(),
    olderSecret: p.blob().$type<Buffer>().strictNullable(),
    olderSecretUntil: p.datetime().strictNullable(),
    secretHolderId: p.text().strictNullable(),
    lastEventNumber: p.integer(),
    lastDeliveryDay: p.date().strictNullable(),
    lastDeliveryOutcome: p.text().$type<'delivered' | 'retrying' | 'failed'>().strictNullable(),
    createdAt: p.datetime(),
    deletedAt: p.datetime().strictNullable(),
  },
})
export type WebhookSubscription = InferEntity<typeof WebhookSubscription>
