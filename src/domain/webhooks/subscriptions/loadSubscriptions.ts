import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'

/** Loads the current rows of the subscriptions that exist, in any order. Includes deleted ones while their log is readable. */
export function loadSubscriptions(context: Context, ids: readonly string[]): Promise<WebhookSubscription[]> {
  return context.em().find(WebhookSubscription, { id: { $in: [...ids] }, kind: 'events' }, { refresh: true })
}
