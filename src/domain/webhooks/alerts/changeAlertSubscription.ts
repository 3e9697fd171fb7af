import type { AlertSubscriptionChange, NewAlertSubscription } from '../../../contract/shapes/alertInputs.ts'
import type { SecretRotation } from '../../../contract/shapes/webhookInputs.ts'
import type { AlertSubscription } from '../../../entities/AlertSubscription.ts'
import { type Context, transaction } from '../../context.ts'
import { omitUndefined } from '../../omitUndefined.ts'
import { changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { enqueueDeliveries } from '../sending/deliveryJobs.ts'
import { addSubscription } from '../subscriptions/createSubscription.ts'
import { endSubscription } from '../subscriptions/deleteSubscription.ts'
import { replaceSecret } from '../subscriptions/rotateSecret.ts'
import { findAlertSubscription, lockAlertSubscription, requireAlertSubscription } from './findAlertSubscription.ts'

/** A subscription and its secret. The secret is returned only here. */
export type ShownAlertSecret = { subscription: AlertSubscription; signingSecret: string }

/**
 * Subscribes a receiver to alerts of the team. The address has the rules of webhooks.
 * Refusals: invalid_request at `teamId` or `address`. Locks: the team. Contract: docs/contract.md#alerts.
 */
export async function createAlertSubscription(
  context: Context,
  { teamId, address, kinds }: NewAlertSubscription,
): Promise<ShownAlertSecret> {
  const { id, signingSecret } = await addSubscription(context, { teamId, address, kind: 'alerts', events: kinds })
  return { subscription: await requireAlertSubscription(context, id), signingSecret }
}

const change = statement<never>(
  'change_alert_subscription',
  'update webhook_subscriptions set events = coalesce($2::text[], events), paused = coalesce($3, paused) where id = $1',
)

/**
 * Changes the kinds of a subscription to alerts, pauses or resumes it. During a pause nothing is recorded or sent; a condition that still
 * holds at the end of the pause is sent then. Refusals: invalid_request at `id`. Locks: the subscription.
 * Contract: docs/contract.md#alerts.
 */
export async function updateAlertSubscription(
  context: Context,
  { id, kinds, paused }: AlertSubscriptionChange,
): Promise<AlertSubscription> {
  const changes = omitUndefined({ kinds: kinds ?? undefined, paused: paused ?? undefined })
  const subscription = await transaction(context, async (inside) => {
    const before = await lockAlertSubscription(inside, id)
    const changed = changesBetween<{ kinds: readonly string[]; paused: boolean }>({ kinds: before.kinds, paused: before.paused }, changes)
    if (!changed) return before
    await inside.sql.all(change, [id, kinds ?? null, paused ?? null])
    await recordAudit(inside, { action: 'alert_subscription.updated', teamId: before.teamId, subjectId: id, ...changed })
    return await requireAlertSubscription(inside, id)
  })
  if (paused === false) await enqueueDeliveries(context, [id])
  return subscription
}

/**
 * Replaces the secret of a subscription to alerts, like `rotateSecret` for one to events.
 * Refusals: invalid_request at `id`. Locks: the subscription. Contract: docs/contract.md#secret-rotation.
 */
export async function rotateAlertSecret(context: Context, { id, overlapHours }: SecretRotation): Promise<ShownAlertSecret> {
  const before = await requireAlertSubscription(context, id)
  const signingSecret = await replaceSecret(context, before, { overlapHours, action: 'alert_subscription.secret_rotated' })
  return { subscription: await requireAlertSubscription(context, id), signingSecret }
}

/**
 * Deletes a subscription to alerts and its secret. Nothing more is sent. Returns false when it was already deleted.
 * Refusals: invalid_request at `id`. Contract: docs/contract.md#alerts.
 */
export async function deleteAlertSubscription(context: Context, id: string): Promise<boolean> {
  const found = await findAlertSubscription(context, id)
  if (!found) throw unknownId('id', 'subscription')
  return await endSubscription(context, found, 'alert_subscription.deleted')
}
