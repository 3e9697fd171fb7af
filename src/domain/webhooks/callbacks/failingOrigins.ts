import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** The most hosts that are listed. */
export const failingOriginsMax = 50

/** A host of callbacks: scheme, name and port. `id`: its hidden subscription. */
export type CallbackOrigin = Pick<WebhookSubscription, 'lastDeliveryDay' | 'lastDeliveryOutcome'> & { id: string; origin: string }

const find = statement<CallbackOrigin>(
  'failing_callback_origins',
  `select id, address as origin, last_delivery_day, last_delivery_outcome from webhook_subscriptions
     where team_id = $1 and kind = 'callbacks' and address <> '' and deleted_at is null
       and last_delivery_outcome in ('retrying', 'failed') and last_delivery_day >= utc_day(present()) - 1
     order by last_delivery_day desc, id desc limit ${failingOriginsMax}`,
)

/** The hosts of callbacks of a team whose last attempt, of today or yesterday in UTC, failed; latest first, 50 at most. */
export function failingOrigins({ sql }: Pick<Context, 'sql'>, teamId: string): Promise<CallbackOrigin[]> {
  return sql.all(find, [teamId])
}
