import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { statement } from '../../sql.ts'
import { type DeliveryFilter, type ListedDelivery, listDeliveries } from './listDeliveries.ts'

/** A team has 100 at a time; those that it deleted within the month come after them. */
const subscriptionsMax = 300

const subscriptionsWithDeliveries = statement<{ id: string }>(
  'subscriptions_with_deliveries',
  `select id from webhook_subscriptions
     where team_id = $1 and last_event_number > 0 and ($2::text is null or id = $2)
     order by deleted_at is not null, id desc limit ${subscriptionsMax}`,
)

/**
 * The delivery log of a team, the newest event first, keyed by `place`: of all subscriptions that it has, and of the latest that it
 * deleted, 300 together; of one alone when asked for. One of another team, and one that does not exist, have none.
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
