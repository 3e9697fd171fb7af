import type { WebhookSubscription } from './WebhookSubscription.ts'

/** Conditions of a team about which it is alerted. Contract: docs/contract.md#alerts. */
export const alertKinds = ['credits.low', 'key.near_ceiling', 'webhook.failing', 'key.expiring', 'plan.expiring'] as const
export type AlertKind = (typeof alertKinds)[number]

/** A row of `webhook_subscriptions` of the kind `alerts`. */
export type AlertSubscription = Pick<
  WebhookSubscription,
  'id' | 'teamId' | 'address' | 'paused' | 'createdAt' | 'deletedAt' | 'olderSecretUntil' | 'lastDeliveryDay' | 'lastDeliveryOutcome'
> & { kinds: AlertKind[] }
