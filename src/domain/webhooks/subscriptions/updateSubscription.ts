import type { SubscriptionChange } from '../../../contract/shapes/webhookInputs.ts'
import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { enqueueDeliveries } from '../sending/deliveryJobs.ts'
import { findSubscription, isPaused, requireSubscription } from './findSubscription.ts'

/**
 * Changes the events of a subscription, pauses or resumes it. During a pause nothing is recorded or sent. Open deliveries from before the
 * pause wait and continue on resume. A resume also ends an auto-pause. A pause of an auto-paused subscription changes nothing, because
 * its events, which an auto-pause records, would then be lost. Refusals: invalid_request at `id`.
 * Contract: docs/contract.md#pause-and-deletion-of-a-webhook.
 */
export async function updateSubscription(context: Context, { id, events, paused }: SubscriptionChange): Promise<WebhookSubscription> {
  const subscription = await requireSubscription(context, id, 'id')
  const changes = omitUndefined({ events: events ? [...events] : undefined, paused: paused ?? undefined })
  if (Object.keys(changes).length === 0) return subscription
  await transaction(context, async (inside) => {
    await inside.sql.one(lockSubscription, [id])
    const before = await requireSubscription(inside, id, 'id')
    const changed = changesBetween({ events: before.events, paused: isPaused(before) }, changes)
    if (!changed) return
    if (events) await inside.em().nativeUpdate(WebhookSubscription, { id, deletedAt: null }, { events: changes.events ?? [] })
    if ('paused' in changed.after) await inside.sql.all(paused ? pauseSubscription : resumeSubscription, [id])
    await recordAudit(inside, { action: 'webhook.updated', teamId: before.teamId, subjectId: id, ...changed })
  })
  if (paused === false) await enqueueDeliveries(context, [id])
  return (await findSubscription(context, id)) ?? subscription
}

const lockSubscription = statement<{ id: string }>(
  'lock_subscription',
  'select id from webhook_subscriptions where id = $1 for no key update',
)

const pauseSubscription = statement<never>('pause_subscription', 'update webhook_subscriptions set paused = true where id = $1')
const resumeSubscription = statement<never>(
  'resume_subscription',
  'update webhook_subscriptions set paused = false, auto_paused_at = null, resumed_at = present() where id = $1',
)
