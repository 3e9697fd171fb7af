import { isId } from '../../../contract/ids.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { parseText } from '../../parseText.ts'
import { containing } from '../../search.ts'
import { unknownId } from '../../unknownId.ts'

/**
 * Reads the current row of a subscription to events, also of a deleted one. `null` when there is none, or `id` is not a subscription identifier.
 */
export async function findSubscription(context: Context, id: string): Promise<WebhookSubscription | null> {
  return isId('hook', id) ? await context.em().findOne(WebhookSubscription, { id, kind: 'events' }, { refresh: true }) : null
}

/** Reads the subscription of a delivery: one to events or to alerts, or the hidden one of a callback. */
export async function findReceiver(context: Context, id: string): Promise<WebhookSubscription | null> {
  return isId('hook', id) ? await context.em().findOne(WebhookSubscription, { id }, { refresh: true }) : null
}

/** Reads a subscription that is not deleted. Refusals: invalid_request at `field`. */
export async function requireSubscription(context: Context, id: string, field: string): Promise<WebhookSubscription> {
  const found = await findSubscription(context, id)
  if (!found || found.deletedAt) throw unknownId(field, 'subscription')
  return found
}

/** The pauses of a subscription. Subscriptions to alerts have no `autoPausedAt`. */
export type Pausable = { paused: boolean; autoPausedAt?: Date | null }

/** True if nothing is sent until a resume: a person or tool paused the subscription, or it was auto-paused. */
export function isPaused({ paused, autoPausedAt }: Pausable): boolean {
  return paused || (autoPausedAt ?? null) !== null
}

/** Refuses an action that would send nothing until the subscription is resumed. Refusals: invalid_request at `field`. */
export function requireNotPaused(subscription: Pausable, field: string): void {
  if (isPaused(subscription))
    throw invalidRequest({ in: 'body', path: [field], code: 'conflict', message: 'The subscription is paused. Resume it first.' })
}

const searchRule = { field: 'search', charactersMin: 0, charactersMax: 200 }

/**
 * Lists subscriptions of a team to events by `id`, newest first. Deleted ones only with `withDeleted`. `search`: a part of the address,
 * case-insensitive. Refusals: invalid_request at `search`.
 */
export async function listSubscriptions(
  context: Context,
  { teamId, withDeleted, search }: { teamId: string; withDeleted: boolean; search?: string | null | undefined },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<WebhookSubscription[]> {
  const where = {
    teamId,
    kind: 'events' as const,
    ...(withDeleted ? {} : { deletedAt: null }),
    ...(search ? { address: containing(parseText(search, searchRule)) } : {}),
    id: { ...(after === undefined ? {} : { $lt: after }), ...(before === undefined ? {} : { $gt: before }) },
  }
  return await context.em().find(WebhookSubscription, where, { orderBy: { id: fromTheEnd ? 'asc' : 'desc' }, limit, refresh: true })
}

/** Loads the current rows of the subscriptions that exist, in any order. Includes deleted ones while their log is readable. */
export function loadSubscriptions(context: Context, ids: readonly string[]): Promise<WebhookSubscription[]> {
  return context.em().find(WebhookSubscription, { id: { $in: [...ids] }, kind: 'events' }, { refresh: true })
}
