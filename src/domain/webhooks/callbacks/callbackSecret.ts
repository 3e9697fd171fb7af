import { newId } from '../../../contract/ids.ts'
import type { CallbackSecretRotation } from '../../../contract/shapes/callback.ts'
import { webhookEvents } from '../../../entities/WebhookSubscription.ts'
import { makeWebhookSecret } from '../../../secrets/signWebhook.ts'
import { type Context, personIdOf, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { lockTeam } from '../subscriptions/createSubscription.ts'
import { readSecret, type SealedSecrets, sealSecret } from '../subscriptions/signingSecrets.ts'

/** The subscription without an address that has the secret of a team. Both secrets sign until `olderSecretUntil`. */
export type CallbackSecret = SealedSecrets & { secret: Buffer; olderSecretUntil: Date | null }

const find = statement<CallbackSecret>(
  'find_callback_secret',
  `select id, secret, case when older_secret_until > clock_timestamp() then older_secret end as older_secret,
       case when older_secret_until > clock_timestamp() then older_secret_until end as older_secret_until
     from webhook_subscriptions where team_id = $1 and kind = 'callbacks' and address = '' and deleted_at is null`,
)
const insert = statement<never>(
  'add_callback_secret',
  `insert into webhook_subscriptions (id, team_id, address, kind, events, paused, secret, secret_holder_id, created_at)
     values ($1, $2, '', 'callbacks', $3, true, $4, $5, present())`,
)

const addViewer = statement<never>(
  'add_viewer_of_callback_secret',
  `update webhook_subscriptions set secret_viewer_ids = secret_viewer_ids || $2::text
     where id = $1 and not $2 = any(secret_viewer_ids) and secret_holder_id is distinct from $2`,
)

export type ReadCallbackSecret = { secret: string; overlapEndsAt: Date | null }

/**
 * The secret that signs the callbacks of a team. The first call makes it. The person who reads it is recorded.
 * Refusals: invalid_request at `teamId`. Locks: the team, on the first call; the secret, on the first read of a person.
 * Contract: docs/contract.md#callbacks.
 */
export async function callbackSecretOf(context: Context, teamId: string): Promise<ReadCallbackSecret> {
  const found = (await context.sql.one(find, [teamId])) ?? (await transaction(context, (inside) => lockCallbackSecret(inside, teamId)))
  const viewer = personIdOf(context)
  if (viewer !== null) await context.sql.all(addViewer, [found.id, viewer])
  return { secret: readSecret(context.ring, found.secret, { id: found.id, column: 'secret' }), overlapEndsAt: found.olderSecretUntil }
}

/** Locks the team, so that nobody else makes, copies or replaces its secret before the commit, and reads or makes the secret. */
export async function lockCallbackSecret(inside: Context, teamId: string): Promise<CallbackSecret> {
  if (!(await inside.sql.one(lockTeam, [teamId]))) throw unknownId('teamId', 'team')
  const found = await inside.sql.one(find, [teamId])
  if (found) return found
  const id = newId('hook')
  const secret = sealSecret(inside.ring, makeWebhookSecret(), { id, column: 'secret' })
  await inside.sql.all(insert, [id, teamId, webhookEvents, secret, personIdOf(inside)])
  return { id, secret, olderSecret: null, olderSecretUntil: null }
}

const holders = statement<{ id: string }>(
  'holders_of_callback_secret',
  `select id from webhook_subscriptions where team_id = $1 and kind = 'callbacks' and deleted_at is null order by id for no key update`,
)
const replace = statement<never>(
  'replace_callback_secret',
  `update webhook_subscriptions s set secret = new.secret, older_secret = new.older_secret, secret_holder_id = $5, secret_viewer_ids = '{}',
       older_secret_until = case when new.older_secret is not null then statement_timestamp() + $4 * interval '1 hour' end
     from unnest($1::text[], $2::bytea[], $3::bytea[]) as new (id, secret, older_secret) where s.id = new.id`,
)

/**
 * Replaces the secret of the team's callbacks. With an overlap (whole hours, up to 24) the old secret also signs for that time; without one
 * it stops at once. A running overlap ends. The person who rotates is recorded as the only reader. Returns the new secret.
 * Refusals: invalid_request at `teamId`. Locks: the team, the hidden subscriptions. Contract: docs/contract.md#callbacks.
 */
export async function rotateCallbackSecret(context: Context, { teamId, overlapHours }: CallbackSecretRotation): Promise<string> {
  const hours = overlapHours ?? 0
  const { ring } = context
  const signingSecret = makeWebhookSecret()
  await transaction(context, async (inside) => {
    const present = await lockCallbackSecret(inside, teamId)
    const older = hours > 0 ? readSecret(ring, present.secret, { id: present.id, column: 'secret' }) : null
    const ids = (await inside.sql.all(holders, [teamId])).map(({ id }) => id)
    const secrets = ids.map((id) => sealSecret(ring, signingSecret, { id, column: 'secret' }))
    const olders = ids.map((id) => (older === null ? null : sealSecret(ring, older, { id, column: 'older_secret' })))
    await inside.sql.all(replace, [ids, secrets, olders, hours, personIdOf(context)])
    await recordAudit(inside, { action: 'callback_secret.rotated', teamId, subjectId: teamId, after: { overlapHours: hours } })
  })
  return signingSecret
}
