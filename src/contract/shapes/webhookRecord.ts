import { z } from 'zod'
import { deliveryEvents, deliveryKinds, webhookDeliveryStates } from '../../entities/WebhookDelivery.ts'
import { moment, momentText } from './credits.ts'
import { cursor, limit } from './pageQuery.ts'
import { listOf } from './queries.ts'
import { webhookEvent } from './webhookInputs.ts'

const deliveryState = z.enum(webhookDeliveryStates).meta({
  id: 'DeliveryState',
  description: '`pending` has no attempt yet, `retrying` gets another attempt, `delivered` and `failed` are closed.',
})

const deliveryKind = z.enum(deliveryKinds).meta({
  id: 'DeliveryKind',
  description: 'What it belongs to: a webhook, the callback of a start, or a subscription to alerts.',
})

const deliveryEvent = z.enum(deliveryEvents).meta({ id: 'DeliveryEventName', description: 'An event of a generation, or an alert.' })

/** A webhook subscription in the management of webhooks. Contract: docs/contract.md#management-by-key. */
export const webhookRecord = z
  .object({
    id: z.string(),
    address: z.string(),
    events: z.array(webhookEvent),
    paused: z.boolean(),
    autoPausedAt: moment.nullable().meta({ description: 'When it was paused because every attempt had failed for days.' }),
    createdAt: moment,
    secretOverlapEndsAt: moment.nullable().meta({ description: 'Until then requests are also signed with the previous secret.' }),
    lastDeliveryDay: z.string().nullable().meta({ description: 'The day in UTC of the last attempt.' }),
    lastDeliveryOutcome: z.enum(['delivered', 'retrying', 'failed']).meta({ id: 'DeliveryOutcome' }).nullable(),
  })
  .meta({ id: 'WebhookSubscription', description: 'A receiver of events, without its signing secret.' })

export type WebhookRecord = z.output<typeof webhookRecord>

export const webhookList = listOf(webhookRecord, 'WebhookSubscriptionList')

/** A subscription with its new secret. */
export const webhookWithSecret = z
  .object({ subscription: webhookRecord, signingSecret: z.string().meta({ description: 'It is shown only here.' }) })
  .meta({ id: 'WebhookSubscriptionWithSecret' })

/** A row of the delivery log. */
export const deliveryRecord = z
  .object({
    id: z.string().meta({ description: 'The `id` in the body, the same in every attempt.' }),
    kind: deliveryKind,
    subscriptionId: z.string().nullable().meta({ description: 'Null for the callback of a start.' }),
    address: z.string().meta({ description: 'The URL of the receiver.' }),
    event: deliveryEvent,
    eventNumber: z
      .int()
      .meta({ description: 'Counts the events of the subscription, or of the callbacks to one host, from 1 without gaps.' }),
    isTest: z.boolean(),
    time: moment.meta({ description: 'The time of the event.' }),
    state: deliveryState,
    attempts: z.int(),
    responseCode: z.int().nullable().meta({ description: 'Of the latest attempt; null without a response.' }),
    refusalText: z.string().nullable().meta({ description: 'Why it failed: our reason, then the first bytes of the reply.' }),
    responseSnippet: z.string().nullable().meta({ description: 'The first bytes of the reply, with invisible characters escaped.' }),
    nextAttemptAt: moment.nullable().meta({ description: 'Null for a closed delivery.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event or alert for one subscription, or an event for the callback of a start.' })

export type DeliveryRecord = z.output<typeof deliveryRecord>

export const deliveryList = listOf(deliveryRecord, 'WebhookDeliveryList')

/** The query of GET /webhooks. */
export const webhookListQuery = z.strictObject({ cursor, limit })

/** The query of GET /webhooks/{id}/deliveries. */
export const deliveryListQuery = z.strictObject({
  cursor,
  limit,
  state: deliveryState.optional().meta({ description: 'Only deliveries in that state.' }),
  event: webhookEvent.optional().meta({ description: 'Only deliveries of that event.' }),
  since: momentText.optional().meta({ description: 'Events at that time or later.' }),
})

/** The query of GET /deliveries. */
export const teamDeliveryListQuery = deliveryListQuery.extend({
  kind: deliveryKind.optional().meta({ description: 'Only deliveries of that kind.' }),
  callbacks: z.enum(['true']).optional().meta({ description: 'Only the callbacks of starts, like the kind `callback`.' }),
})
