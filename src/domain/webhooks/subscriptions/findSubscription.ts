import { isId } from '../../../contract/ids.ts'
import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { unknownId } from '../../unknownId.ts'

/** The subscription as the database has it now, a deleted one included; `null` also for what is no identifier. */
export async function findSubscription(context: Context, id: string): Promise<WebhookSubscription | null> {
  return isId('hook', id) ? await context.em().findOne(WebhookSubscription, { id }, { refresh: true }) : null
}

/** The subscription, unless it was deleted. Refusals: invalid_request at `field`. */
export async function requireSubscription(context: Context, id: string, field: string): Promise<WebhookSubscription> {
  const found = await findSubscription(context, id)
  if (!found || found.deletedAt) throw unknownId(field, 'subscription')
  return found
}
