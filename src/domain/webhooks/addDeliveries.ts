import type { PublicGeneration } from '../../contract/generation.ts'
import { newId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../entities/WebhookSubscription.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** A subscription and the number that the event has there. */
export type Numbered = { subscriptionId: string; eventNumber: number }

export type WebhookContent = {
  event: WebhookEvent
  /** The moment of the event; no attempt changes it. */
  createdAt: Date
  /** In the shape of GET /generations/{id}. */
  generation: PublicGeneration
  isTest: boolean
}

const insertAll = statement<never>(
  'add_deliveries',
  `with added as (
     insert into webhook_deliveries (id, subscription_id, event_number, body, event, is_test, created_at, next_attempt_at)
       select id, subscription_id, event_number, convert_to(body, 'UTF8'), $5, $6, $7, statement_timestamp()
         from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as d (id, subscription_id, event_number, body)
   ), queued as (
     insert into webhook_queue (subscription_id, delivery_id, due_at, retries_left)
       select subscription_id, id, statement_timestamp(), $8 from unnest($1::text[], $2::text[]) as d (id, subscription_id)
   )
   select pg_notify('delivery', 'due')`,
)

/**
 * Records one delivery for each subscription, its body fixed here for good. It is due at once, and those who deliver are woken when
 * the transaction commits. Returns the identifiers in the order of `numbered`. Spec: Events, Request.
 */
export async function addDeliveries(inside: Context, numbered: readonly Numbered[], content: WebhookContent): Promise<string[]> {
  const { event, createdAt, generation, isTest } = content
  const rest = JSON.stringify({ event, createdAt: createdAt.toISOString(), data: { generation } }).slice(1)
  const ids = numbered.map(() => newId('evt'))
  await inside.sql.all(insertAll, [
    ids,
    numbered.map(({ subscriptionId }) => subscriptionId),
    numbered.map(({ eventNumber }) => eventNumber),
    ids.map((id) => `{"id":"${id}",${rest}`),
    event,
    isTest,
    createdAt,
    limits.webhookRetries,
  ])
  return ids
}
