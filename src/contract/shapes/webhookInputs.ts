import { z } from 'zod'
import { webhookEvents } from '../../entities/WebhookSubscription.ts'
import { limits } from '../limits.ts'
import { overlapHours } from './keyInputs.ts'
import { setOf } from './setOf.ts'
import { text } from './text.ts'

export const webhookEvent = z.enum(webhookEvents).meta({ id: 'WebhookEventName' })

const addressCharactersMax = 2_048
const invisible = { pattern: /[\p{C}\p{Z}]/u, message: 'Remove blanks and invisible characters from the address.' }
const events = setOf(webhookEvent, 'event')

/** Contract: docs/contract.md#webhook-addresses. */
export const newSubscription = z.object({
  teamId: z.string(),
  events,
  address: text({ charactersMax: addressCharactersMax, forbidden: invisible }).meta({ description: 'A public https address.' }),
})

export type NewSubscription = z.input<typeof newSubscription>

/** A change of a subscription; an absent field, or null, stays unchanged. Contract: docs/contract.md#pause-and-deletion-of-a-webhook. */
export const subscriptionChange = z.object({ id: z.string(), events: events.nullish(), paused: z.boolean().nullish() })
export type SubscriptionChange = z.input<typeof subscriptionChange>

/** Contract: docs/contract.md#secret-rotation. */
export const secretRotation = z.object({ id: z.string(), overlapHours: overlapHours('secret', limits.webhookSecretOverlapHoursMax) })
export type SecretRotation = z.input<typeof secretRotation>

const { teamId: _team, events: newEvents, ...ownFields } = newSubscription.shape
const { id: _subscription, events: _events, ...changes } = subscriptionChange.shape

/** The body of POST /webhooks: the team is that of the asking key. Contract: docs/contract.md#management-by-key. */
export const newWebhookBody = z.strictObject({ ...ownFields, events: newEvents.unwrap() }).meta({ id: 'NewWebhookSubscription' })
/** The body of PATCH /webhooks/{id}. */
export const webhookChangeBody = z
  .strictObject({ ...changes, events: newEvents.unwrap().nullish() })
  .meta({ id: 'WebhookSubscriptionChange' })
/** The body of POST /webhooks/{id}/rotate-secret; empty for no overlap. */
export const secretRotationBody = z.strictObject({ overlapHours: secretRotation.shape.overlapHours }).meta({ id: 'WebhookSecretRotation' })
