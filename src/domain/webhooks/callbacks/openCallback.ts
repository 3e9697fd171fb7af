import { isId, newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { Callback } from '../../../contract/shapes/callback.ts'
import { webhookEvents } from '../../../entities/WebhookSubscription.ts'
import { parseAddress } from '../../../network/checkUrl.ts'
import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import { checkAddress } from '../addressRules.ts'
import { readSecret, sealSecret } from '../subscriptions/signingSecrets.ts'
import { lockCallbackSecret } from './callbackSecret.ts'

/** The callback of a start, as `start_generations` stores it. `subscriptionId`: the hidden subscription of its origin. */
export type OpenedCallback = { subscriptionId: string; url: string; events: readonly string[] }

const find = statement<{ id: string }>(
  'find_callback_origin',
  `select id from webhook_subscriptions where team_id = $1 and kind = 'callbacks' and address = $2 and deleted_at is null`,
)

/**
 * Checks the callback of a start, and makes a queue for its origin if the team has none. An address of a known origin is not looked up: each
 * attempt does that.
 * Refusals: invalid_request at `webhook` or `webhook.url`. Locks: the team, for a new origin. Contract: docs/contract.md#callbacks.
 */
export async function openCallback(
  context: Context,
  ownerId: string,
  { url, events = [...webhookEvents] }: Callback,
): Promise<OpenedCallback> {
  requireMayCall(context, ownerId)
  const known = await findOrigin(context, ownerId, url)
  if (known) return { subscriptionId: known, url, events }
  const { origin } = await checkAddress(context, url, ['webhook', 'url'])
  const subscriptionId = await transaction(context, (inside) => addOrigin(inside, { teamId: ownerId, origin, isBounded: true }))
  return { subscriptionId, url, events }
}

/** A callback sends results of the team to an address of the caller's choice, so agents and members may not name one. */
function requireMayCall({ actor }: Context, ownerId: string): void {
  const may = actor.kind === 'service' || (actor.kind === 'key' && actor.door === 'rest')
  if (may && isId('team', ownerId)) return
  const message = 'Only keys over REST and internal tools can name a callback, and only for a team.'
  throw invalidRequest({ in: 'body', path: ['webhook'], code: 'not_allowed', message })
}

/** `undefined` also for an address that is not allowed, which {@link checkAddress} then refuses. */
async function findOrigin({ sql }: Context, teamId: string, url: string): Promise<string | undefined> {
  const origin = originOf(url)
  return origin && (await sql.one(find, [teamId, origin]))?.id
}

function originOf(url: string): string | undefined {
  try {
    return parseAddress(url).origin
  } catch {
    return undefined
  }
}

const countNew = statement<{ count: number }>(
  'count_new_callback_origins',
  `select count(*)::integer as count from webhook_subscriptions
     where team_id = $1 and kind = 'callbacks' and address <> '' and created_at > present() - interval '1 day'`,
)
const insert = statement<never>(
  'add_callback_origin',
  `insert into webhook_subscriptions (id, team_id, address, kind, events, paused, secret, older_secret, older_secret_until, created_at)
     values ($1, $2, $3, 'callbacks', $4, true, $5, $6, $7, present())`,
)

/** Adds the hidden subscription of an origin, with a copy of the team's secret, unless there is one. Returns its identifier. */
export async function addOrigin(
  inside: Context,
  { teamId, origin, isBounded }: { teamId: string; origin: string; isBounded: boolean },
): Promise<string> {
  const { ring, sql } = inside
  const own = await lockCallbackSecret(inside, teamId)
  const known = await sql.one(find, [teamId, origin])
  if (known) return known.id
  if (isBounded && ((await sql.one(countNew, [teamId]))?.count ?? 0) >= limits.callbackOriginsPerDay) throw tooManyOrigins()
  const id = newId('hook')
  const copy = (sealed: Buffer, column: 'secret' | 'older_secret') =>
    sealSecret(ring, readSecret(ring, sealed, { id: own.id, column }), { id, column })
  const older = own.olderSecret && copy(own.olderSecret, 'older_secret')
  await sql.all(insert, [id, teamId, origin, webhookEvents, copy(own.secret, 'secret'), older, older && own.olderSecretUntil])
  return id
}

function tooManyOrigins() {
  const message = `A team can use callbacks to ${limits.callbackOriginsPerDay} new hosts in a day. Use a known host, or a webhook.`
  return invalidRequest({ in: 'body', path: ['webhook', 'url'], code: 'too_big', message })
}
