import { isId, newId } from '../../../contract/ids.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { NewSubscription } from '../../../contract/shapes/webhookInputs.ts'
import type { AlertKind } from '../../../entities/AlertSubscription.ts'
import { Team } from '../../../entities/Team.ts'
import { type WebhookEvent, WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import { makeWebhookSecret } from '../../../secrets/signWebhook.ts'
import { type Context, personIdOf, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { checkAddress } from '../addressRules.ts'
import { requireSubscription } from './findSubscription.ts'
import { sealSecret } from './signingSecrets.ts'

/** Limits the cost of ending a generation: each subscription of the team gets a delivery. */
const subscriptionsMax = 100

/** Serialises creations in a team, so that the count stays correct until the commit. Finds no deleted team. */
export const lockTeam = statement<{ id: string }>(
  'lock_team_to_subscribe',
  'select id from teams where id = $1 and deleted_at is null for no key update',
)

/** A subscription and its secret. The secret is returned only here. */
export type ShownSecret = { subscription: WebhookSubscription; signingSecret: string }

/**
 * Subscribes a receiver to the ends of the team's generations. Several subscriptions may have the same address. A person who creates a
 * subscription is recorded as having seen its secret.
 * Refusals: invalid_request at `teamId` or `address`. Locks: the team. Contract: docs/contract.md#webhook-addresses.
 */
export async function createSubscription(context: Context, { teamId, address, events }: NewSubscription): Promise<ShownSecret> {
  const { id, signingSecret } = await addSubscription(context, { teamId, address, kind: 'events', events })
  return { subscription: await requireSubscription(context, id, 'id'), signingSecret }
}

const actions = { events: 'webhook.created', alerts: 'alert_subscription.created' } as const

type AddedSubscription = { kind: 'events'; events: readonly WebhookEvent[] } | { kind: 'alerts'; events: readonly AlertKind[] }

/** Creates a subscription of that kind. Each kind has a quota of its own. Refusals: invalid_request at `teamId` or `address`. Locks: the team. */
export async function addSubscription(
  context: Context,
  { teamId, address, kind, events }: { teamId: string; address: string } & AddedSubscription,
): Promise<{ id: string; signingSecret: string }> {
  if (!isId('team', teamId) || (await context.em().count(Team, { id: teamId, deletedAt: null })) === 0) throw unknownId('teamId', 'team')
  await requireSubscriptionQuota(context, teamId, kind)
  await checkAddress(context, address, ['address'])
  const id = newId('hook')
  const signingSecret = makeWebhookSecret()
  await transaction(context, async (inside) => {
    if (!(await inside.sql.one(lockTeam, [teamId]))) throw unknownId('teamId', 'team')
    await requireSubscriptionQuota(inside, teamId, kind)
    await recordAudit(inside, { action: actions[kind], teamId, subjectId: id, after: kind === 'alerts' ? { kinds: events } : { events } })
    inside.em().create(WebhookSubscription, {
      id,
      teamId,
      address,
      kind,
      events: [...events] as WebhookEvent[],
      paused: false,
      autoPausedAt: null,
      secret: sealSecret(context.ring, signingSecret, { id, column: 'secret' }),
      olderSecret: null,
      olderSecretUntil: null,
      secretHolderId: personIdOf(context),
      lastEventNumber: 0,
      lastDeliveryDay: null,
      lastDeliveryOutcome: null,
      createdAt: context.clock.now(),
      deletedAt: null,
    })
  })
  return { id, signingSecret }
}

async function requireSubscriptionQuota(context: Context, teamId: string, kind: AddedSubscription['kind']): Promise<void> {
  if ((await context.em().count(WebhookSubscription, { teamId, kind, deletedAt: null })) < subscriptionsMax) return
  const message = `A team can have at most ${subscriptionsMax} subscriptions. Delete one first.`
  throw invalidRequest({ in: 'body', path: ['teamId'], code: 'too_big', message })
}
