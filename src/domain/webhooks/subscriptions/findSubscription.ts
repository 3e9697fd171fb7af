import { isId } from '../../../contract/ids.ts'
import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { unknownId } from '../../unknownId.ts'

/**
 * Reads the current row of a subscription to events, also of a deleted one. `null` when there is none, or `id` is not a subscription identifier.
 */
export async function findSubscription(context: Context, id: string): Promise<WebhookSubscription | null> {
  return isId('hook', id) ? await context.em().findOne(WebhookSubscription, { id, kind: 'events' }, { refresh: true }) : null
}

/** Reads a subscription that is not deleted. Refusals: invalid_request at `field`. */
export async function requireSubscription(context: Context, id: string, field: string): Promise<WebhookSubscription> {
  const found = await findSubscription(context, id)
  if (!found || found.deletedAt) throw unknownId(field, 'subscription')
  return found
}
