import type { SecretRotation } from '../../../contract/shapes/webhookInputs.ts'
import { makeWebhookSecret } from '../../../secrets/signWebhook.ts'
import { type Context, personIdOf, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import type { ShownSecret } from './createSubscription.ts'
import { requireSubscription } from './findSubscription.ts'
import { readSecret, sealSecret } from './signingSecrets.ts'

const lockSecret = statement<{ secret: Buffer }>(
  'lock_webhook_secret',
  'select secret from webhook_subscriptions where id = $1 and deleted_at is null for no key update',
)
const replace = statement<never>(
  'replace_webhook_secret',
  `update webhook_subscriptions set secret = $2, older_secret = $3,
       older_secret_until = case when $3::bytea is not null then clock_timestamp() + $4 * interval '1 hour' end, secret_holder_id = $5
     where id = $1`,
)

/**
 * Replaces the secret of a subscription to events. With an overlap (whole hours, up to 24) the old secret also signs for that time; without
 * one it stops at once. A running overlap ends. A person who rotates is recorded as having seen the new secret.
 * Refusals: invalid_request at `id`. Locks: the subscription. Contract: docs/contract.md#secret-rotation.
 */
export async function rotateSecret(context: Context, { id, overlapHours }: SecretRotation): Promise<ShownSecret> {
  const subscription = await requireSubscription(context, id, 'id')
  const signingSecret = await replaceSecret(context, subscription, { overlapHours, action: 'webhook.secret_rotated' })
  return { subscription: await requireSubscription(context, id, 'id'), signingSecret }
}

/** Replaces the secret of a subscription of any kind, and returns the new one. Refusals: invalid_request at `id`. Locks: the subscription. */
export async function replaceSecret(
  context: Context,
  { id, teamId }: { id: string; teamId: string },
  {
    overlapHours,
    action,
  }: Pick<SecretRotation, 'overlapHours'> & { action: 'webhook.secret_rotated' | 'alert_subscription.secret_rotated' },
): Promise<string> {
  const hours = overlapHours ?? 0
  const signingSecret = makeWebhookSecret()
  await transaction(context, async (inside) => {
    const row = await inside.sql.one(lockSecret, [id])
    if (!row) throw unknownId('id', 'subscription')
    const older = hours > 0 ? resealAsOlder(context, id, row.secret) : null
    const sealed = sealSecret(context.ring, signingSecret, { id, column: 'secret' })
    await inside.sql.all(replace, [id, sealed, older, hours, personIdOf(context)])
    await recordAudit(inside, { action, teamId, subjectId: id, after: { overlapHours: hours } })
  })
  return signingSecret
}

function resealAsOlder(context: Context, id: string, sealed: Buffer): Buffer {
  return sealSecret(context.ring, readSecret(context.ring, sealed, { id, column: 'secret' }), { id, column: 'older_secret' })
}
