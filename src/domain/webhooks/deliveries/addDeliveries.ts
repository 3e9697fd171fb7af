import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import type { DeliveryEvent } from '../../../entities/WebhookDelivery.ts'
import { traceParent } from '../../../tracing/tracing.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { enqueueDeliveries } from '../sending/deliveryJobs.ts'
import { autoPausedWords } from '../subscriptions/autoPausedWords.ts'

/** A subscription and the number of the event in it. */
export type NumberedSubscription = { subscriptionId: string; eventNumber: number }

export type WebhookContent = {
  event: DeliveryEvent
  /** When the event happened. The same in every attempt. */
  createdAt: Date
  /** `data` of the body. The link of a result may differ by subscription. */
  dataFor(subscriptionId: string): object
  isTest: boolean
}

/** Inserts in the order of the arrays: of deliveries that are due at the same time, the one inserted first is sent first. */
const insertAll = statement<never>(
  'add_deliveries',
  `with shared as (
     insert into webhook_bodies (id, team_id, body, created_at)
       select b.id, s.team_id, convert_to(b.body, 'UTF8'), present()
         from unnest($11::text[], $12::text[]) as b (id, body) join webhook_subscriptions s on s.id = ($2::text[])[1]
   )
   insert into webhook_deliveries (
       id, subscription_id, event_number, body, body_id, event, is_test, created_at, trace_parent, state, refusal, next_attempt_at, retries_left)
     select d.id, d.subscription_id, d.event_number, convert_to(d.body, 'UTF8'), d.body_id, $5, $6, $7, $9,
         case when s.auto_paused_at is null then 'pending' else 'failed' end, case when s.auto_paused_at is not null then $13 end,
         case when s.auto_paused_at is null then statement_timestamp() end, case when s.auto_paused_at is null then $8::smallint end
       from unnest($1::text[], $2::text[], $3::integer[], $4::text[], $10::text[])
           with ordinality as d (id, subscription_id, event_number, body, body_id, position)
         join webhook_subscriptions s on s.id = d.subscription_id
       order by d.position`,
)

type Stored = { bodies: string[]; bodyIds: (string | null)[]; shared: { id: string; body: string }[] }

/**
 * Stores bodies that differ only in their identifier once, because a team may have 100 subscriptions. Bodies differ in more than that
 * when the key is inactive: each subscription then has its own link. `bodies` is empty where the body is shared.
 */
function dedupeBodies(ids: readonly string[], bodiesWithoutId: readonly string[]): Stored {
  const indexesByBody = Map.groupBy(ids.keys(), (index) => bodiesWithoutId[index] ?? '')
  const shared: Stored['shared'] = []
  const bodies = ids.map((id, index) => `{"id":"${id}",${bodiesWithoutId[index]}`)
  const bodyIds: (string | null)[] = ids.map(() => null)
  for (const group of indexesByBody.values()) {
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
 * Records one delivery per subscription, due at once. For an auto-paused subscription it records a failed one. The body is fixed here. The
 * jobs that send it are queued in the same transaction. Returns the identifiers in the order of `numbered`. The caller has locked the
 * subscriptions. Contract: docs/contract.md#webhook-requests.
 */
export async function addDeliveries(
  inside: Context,
  numbered: readonly NumberedSubscription[],
  content: WebhookContent,
): Promise<string[]> {
  const { event, createdAt, dataFor, isTest } = content
  const ids = numbered.map(() => newId('evt'))
  const bodiesWithoutId = numbered.map(({ subscriptionId }) =>
    JSON.stringify({ event, createdAt: createdAt.toISOString(), data: dataFor(subscriptionId) }).slice(1),
  )
  const { bodies, bodyIds, shared } = dedupeBodies(ids, bodiesWithoutId)
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
    autoPausedWords,
  ])
  await enqueueDeliveries(inside, subscriptionIds)
  return ids
}
