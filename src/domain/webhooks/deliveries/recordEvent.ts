import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Generation, GenerationState } from '../../../entities/Generation.ts'
import type { WebhookEvent } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { statement } from '../../sql.ts'
import { addDeliveries, type NumberedSubscription } from './addDeliveries.ts'

const eventOfState: Partial<Record<GenerationState, WebhookEvent>> = {
  ready: 'generation.completed',
  failed: 'generation.failed',
  cancelled: 'generation.cancelled',
}

type Numbered = NumberedSubscription & { isCallback: boolean; keyIsInactive: boolean | null; keyExpiresAt: Date | null }

/**
 * Takes the next number of each subscription to the event, and of the origin of the callback of the generation. The rows stay locked until
 * the commit, so numbers have no gaps. Deletes a callback that does not want the event. `$1`: null for the callback alone.
 */
const assignEventNumbers = statement<Numbered>(
  'number_event',
  `with callback as (
     select subscription_id from callbacks where generation_id = $4 and delivery_id is null and $2 = any(events)
   ), unwanted as (
     delete from callbacks where generation_id = $4 and delivery_id is null and not $2 = any(events)
   ), subscribed as (
     select id from webhook_subscriptions
       where id = any(array(
           select id from webhook_subscriptions
             where team_id = $1 and kind = 'events' and deleted_at is null and not paused and $2 = any(events)
           union all select subscription_id from callback
         )) and deleted_at is null and (kind = 'callbacks' or (not paused and $2 = any(events)))
       order by id for no key update
   )
   update webhook_subscriptions s set last_event_number = last_event_number + 1
     from subscribed left join api_keys k on k.id = $3 where s.id = subscribed.id
     returning s.id as subscription_id, s.last_event_number as event_number, s.kind = 'callbacks' as is_callback,
       not key_is_live(k.revoked_at, k.expires_at) as key_is_inactive, k.expires_at as key_expires_at`,
)

const joinDelivery = statement<never>(
  'join_callback_to_delivery',
  `update callbacks set delivery_id = $2, event = $3, event_at = $4, event_number = $5, state = 'pending' where generation_id = $1`,
)

type Present = (holder: { keyExpiresAt: Date | null } | { subscriptionId: string }) => PublicGeneration

/**
 * Records the event of an ended generation for each subscription of its team to that event, and for its callback. It runs in the
 * transaction that ends the generation, so both commit or neither does. Nothing is recorded for generations of the editor, for people
 * without a team, and for paused subscriptions. `only`: for the callback alone.
 * `present` returns the generation for the body, and is called only when there is a subscription. Its link belongs to the key, or to the
 * given subscription when the key is revoked or expired.
 * Locks: subscriptions, in the order of their identifiers. Contract: docs/contract.md#events, docs/contract.md#callbacks.
 */
export async function recordEvent(
  inside: Context,
  ended: Generation,
  present: Present,
  { only }: { only?: 'callback' } = {},
): Promise<void> {
  const event = eventOfState[ended.state]
  invariant(event !== undefined && ended.finishedAt !== null, 'an event is recorded for an ended generation')
  if (ended.source === 'editor' || !ended.ownerId.startsWith('team_')) return
  const { id, ownerId, keyId, finishedAt } = ended
  const numbered = await inside.sql.all(assignEventNumbers, [only ? null : ownerId, event, keyId, id])
  const [first] = numbered
  if (!first) return
  const forAll = first.keyIsInactive ? undefined : present({ keyExpiresAt: first.keyExpiresAt })
  const dataFor = (subscriptionId: string) => ({ generation: forAll ?? present({ subscriptionId }) })
  const deliveryIds = await addDeliveries(inside, numbered, { event, createdAt: finishedAt, dataFor, isTest: false })
  const place = numbered.findIndex(({ isCallback }) => isCallback)
  if (place >= 0) await inside.sql.all(joinDelivery, [id, deliveryIds[place], event, finishedAt, numbered[place]?.eventNumber])
}
