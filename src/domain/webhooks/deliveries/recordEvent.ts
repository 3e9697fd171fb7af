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

/** Takes the next number of each subscription to the event. The rows stay locked until the commit, so numbers have no gaps. */
const assignEventNumbers = statement<NumberedSubscription & { keyIsInactive: boolean | null; keyExpiresAt: Date | null }>(
  'number_event',
  `with subscribed as (
     select id from webhook_subscriptions
       where team_id = $1 and deleted_at is null and not paused and $2 = any(events) order by id for no key update
   )
   update webhook_subscriptions s set last_event_number = last_event_number + 1
     from subscribed left join api_keys k on k.id = $3 where s.id = subscribed.id
     returning s.id as subscription_id, s.last_event_number as event_number,
       not key_is_live(k.revoked_at, k.expires_at) as key_is_inactive, k.expires_at as key_expires_at`,
)

/**
 * Records the event of an ended generation for each subscription of its team to that event. It runs in the transaction that ends the
 * generation, so both commit or neither does. Nothing is recorded for generations of the editor, for people without a team, and for
 * paused subscriptions.
 * `present` returns the generation for the body, and is called only when there is a subscription. Its link belongs to the key, or to the
 * given subscription when the key is revoked or expired.
 * Locks: subscriptions, in the order of their identifiers. Contract: docs/contract.md#events.
 */
export async function recordEvent(
  inside: Context,
  ended: Generation,
  present: (holder: { keyExpiresAt: Date | null } | { subscriptionId: string }) => PublicGeneration,
): Promise<void> {
  const event = eventOfState[ended.state]
  invariant(event !== undefined && ended.finishedAt !== null, 'an event is recorded for an ended generation')
  if (ended.source === 'editor' || !ended.ownerId.startsWith('team_')) return
  const numbered = await inside.sql.all(assignEventNumbers, [ended.ownerId, event, ended.keyId])
  const [first] = numbered
  if (!first) return
  const forAll = first.keyIsInactive ? undefined : present({ keyExpiresAt: first.keyExpiresAt })
  const dataFor = (subscriptionId: string) => ({ generation: forAll ?? present({ subscriptionId }) })
  await addDeliveries(inside, numbered, { event, createdAt: ended.finishedAt, dataFor, isTest: false })
}
