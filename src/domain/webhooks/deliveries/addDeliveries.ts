import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { WebhookEvent } from '../../../entities/WebhookSubscription.ts'
import { traceParent } from '../../../tracing/tracing.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { enqueueDeliveries } from '../sending/deliveryJobs.ts'

/** A subscription and the number that the event has there. */
export type NumberedSubscription = { subscriptionId: string; eventNumber: number }

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
  `with shared as (
     insert into webhook_bodies (id, team_id, body, created_at)
       select b.id, s.team_id, convert_to(b.body, 'UTF8'), present()
         from unnest($11::text[], $12::text[]) as b (id, body) join webhook_subscriptions s on s.id = ($2::text[])[1]
   )
   insert into webhook_deliveries (id, subscription_id, event_number, body, body_id, event, is_test, created_at, next_attempt_at, retries_left, trace_parent)
     select id, subscription_id, event_number, convert_to(body, 'UTF8'), body_id, $5, $6, $7, statement_timestamp(), $8, $9
       from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $10::text[]) as d (id, subscription_id, event_number, body, body_id)`,
)

type Stored = { bodies: string[]; bodyIds: (string | null)[]; shared: { id: string; body: string }[] }

/**
 * Bodies that differ in their identifier alone are stored once, since a team may have a hundred subscriptions. Links of a dead key differ by
 * subscription. `bodies` is empty where the body is shared.
 */
function dedupeBodies(ids: readonly string[], rests: readonly string[]): Stored {
  const places = Map.groupBy(ids.keys(), (index) => rests[index] ?? '')
  const shared: Stored['shared'] = []
  const bodies = ids.map((id, index) => `{"id":"${id}",${rests[index]}`)
  const bodyIds: (string | null)[] = ids.map(() => null)
  for (const group of places.values()) {
    const [first = 0] = group
    if (group.length === 1) continue
    const id = ids[first] ?? ''
    shared.push({ id, body: bodies[first] ?? '' })
    for (const index of group) {
      bodyIds[index] = id
      bodies[index] = ''
    }
  }
  return { bodies, bodyIds, shared }
}

/**
 * Records one delivery for each subscription, its body fixed here for good. It is due at once, and the jobs that deliver it exist
 * exactly when the transaction commits. Returns the identifiers in the order of `numbered`. Contract: docs/contract.md#webhook-requests.
 */
export async function addDeliveries(
  inside: Context,
  numbered: readonly NumberedSubscription[],
  content: WebhookContent,
): Promise<string[]> {
  const { event, createdAt, generationFor, isTest } = content
  const ids = numbered.map(() => newId('evt'))
  const rests = numbered.map(({ subscriptionId }) =>
    JSON.stringify({ event, createdAt: createdAt.toISOString(), data: { generation: generationFor(subscriptionId) } }).slice(1),
  )
  const { bodies, bodyIds, shared } = dedupeBodies(ids, rests)
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
    bodyIds,
    shared.map(({ id }) => id),
    shared.map(({ body }) => body),
  ])
  await enqueueDeliveries(inside, subscriptionIds)
  return ids
}
