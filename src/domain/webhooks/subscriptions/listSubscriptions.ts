import { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'

/** Lists subscriptions of a team to events by `id`, newest first. Deleted ones only with `withDeleted`. */
export async function listSubscriptions(
  context: Context,
  { teamId, withDeleted }: { teamId: string; withDeleted: boolean },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<WebhookSubscription[]> {
  const where = {
    teamId,
    kind: 'events' as const,
    ...(withDeleted ? {} : { deletedAt: null }),
    id: { ...(after === undefined ? {} : { $lt: after }), ...(before === undefined ? {} : { $gt: before }) },
  }
  return await context.em().find(WebhookSubscription, where, { orderBy: { id: fromTheEnd ? 'asc' : 'desc' }, limit, refresh: true })
}
