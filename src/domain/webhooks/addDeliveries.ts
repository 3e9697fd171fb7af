import type { PublicGeneration } from '../../contract/generation.ts'
import { newId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import type { WebhookEvent } from '../../entities/WebhookSubscription.ts'
import { traceParent } from '../../tracing/tracing.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'
import { deliverNow } from './deliveryJobs.ts'

/** A subscription and the number that the event has there. */
export type Numbered = { subscriptionId: string; eventNumber: number }

export type WebhookContent = {
  event: WebhookEvent
  /** The moment of the event; no attempt changes it. */
  createdAt: Date
  /** In the shape of GET /generations/{id}, as that subscription is to see it. */
  generationFor(subscriptionId: string): PublicGeneration
  isTest: boolean
}

const insertAll = statement<never>(
  'add_deliveries',
  `insert into webhook_deliveries (id, subscription_id, event_number, body, event, is_test, created_at, next_attempt_at, retries_left, trace_parent)
     select id, subscription_id, event_number, convert_to(body, 'UTF8'), $5, $6, $7, statement_timestamp(), $8, $9
       from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as d (id, subscription_id, event_number, body)`,
)

/**
 * Records one delivery for each subscription, its body fixed here for good. It is due at once, and the jobs that deliver it exist
 * exactly when the transaction commits. Returns the identifiers in the order of `numbered`. Contract: docs/contract.md#webhook-requests.
 */
export async function addDeliveries(inside: Context, numbered: readonly Numbered[], content: WebhookContent): Promise<string[]> {
  const { event, createdAt, generationFor, isTest } = content
  const ids = numbered.map(() => newId('evt'))
  const bodies = numbered.map(({ subscriptionId }, index) =>
    JSON.stringify({ id: ids[index], event, createdAt: createdAt.toISOString(), data: { generation: generationFor(subscriptionId) } }),
  )
  const subscriptionIds = numbered.map(({ subscriptionId }) => subscriptionId)
  await inside.sql.all(insertAll, [
    ids,
    subscriptionIds,
    numbered.map(({ eventNumber }) => eventNumber),
    bodies,
    event,
    isTest,
    createdAt,
    limits.webhookRetries,
    traceParent() ?? null,
  ])
  await deliverNow(inside, subscriptionIds)
  return ids
}
