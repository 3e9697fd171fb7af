import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'

/** Those of the subscriptions that exist, deleted ones too while their log can be read, in any order, as they stand now. */
export function loadSubscriptions(context: Context, ids: readonly string[]): Promise<WebhookSubscription[]> {
  return context.em().find(WebhookSubscription, { id: { $in: [...ids] } }, { refresh: true })
}
