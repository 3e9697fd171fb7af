import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { loadSubscriptions } from './findSubscription.ts'
import { healthHours } from './loadHealth.ts'

/** The maximum number of webhooks that {@link findFailingWebhooks} returns. */
export const failingWebhooksMax = 50

const find = statement<{ id: string }>(
  'failing_webhooks',
  `select w.id from webhook_subscriptions w
     where w.team_id = $1 and w.kind = 'events' and w.deleted_at is null and not w.paused
       and (w.auto_paused_at is not null or w.last_delivery_outcome <> 'delivered' and w.last_delivery_day >= utc_day(present()) - 1
         and exists (
           select from webhook_hours h
             where h.subscription_id = w.id and h.failed > 0
               and h.hour > date_trunc('hour', present(), 'UTC') - ${healthHours} * interval '1 hour'))
     order by w.id desc limit ${failingWebhooksMax}`,
)

/**
 * Returns the failing webhooks of a team, newest first: webhooks whose last delivery failed or is retried, with a failed attempt within 24
 * hours, and auto-paused ones.
 */
export async function findFailingWebhooks(context: Context, teamId: string): Promise<WebhookSubscription[]> {
  const ids = (await context.sql.all(find, [teamId])).map(({ id }) => id)
  if (ids.length === 0) return []
  return (await loadSubscriptions(context, ids)).toSorted((one, other) => (one.id < other.id ? 1 : -1))
}
