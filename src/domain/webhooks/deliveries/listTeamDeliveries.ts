import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { statement } from '../../sql.ts'
import { type DeliveryFilter, type ListedDelivery, listDeliveries } from './listDeliveries.ts'

/** A team has up to 100 active subscriptions. The rest of the limit is for those that it deleted in the last month. */
const subscriptionsMax = 300

const subscriptionsWithDeliveries = statement<{ id: string }>(
  'subscriptions_with_deliveries',
  `select id from webhook_subscriptions
     where team_id = $1 and kind = 'events' and last_event_number > 0 and ($2::text is null or id = $2)
     order by deleted_at is not null, id desc limit ${subscriptionsMax}`,
)

/**
 * Lists the delivery log of a team, newest event first, with a `cursor` per entry. It covers the active subscriptions and the latest
 * deleted ones, 300 in all, or only `subscriptionId`. The list is empty for an unknown subscription and for another team's.
 */
export async function listTeamDeliveries(
  { sql }: Pick<Context, 'sql'>,
  { teamId, subscriptionId, ...filter }: DeliveryFilter & { teamId: string; subscriptionId?: string | null | undefined },
  window: ListWindow,
): Promise<ListedDelivery[]> {
  const subscriptions = await sql.all(subscriptionsWithDeliveries, [teamId, subscriptionId ?? null])
  if (subscriptions.length === 0) return []
  return listDeliveries({ sql }, { ...filter, subscriptionIds: subscriptions.map(({ id }) => id) }, window)
}
