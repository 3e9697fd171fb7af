import { columnsOf } from '../../../database/pool/columnsOf.ts'
import { WebhookAttempt } from '../../../entities/WebhookAttempt.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

const ofDeliveries = statement<WebhookAttempt>(
  'load_attempts',
  `select ${columnsOf(WebhookAttempt, 'a')} from unnest($1::text[]) as asked (id) cross join lateral (select * from webhook_attempts where delivery_id = asked.id offset 0) a
     order by a.delivery_id, a.number`,
)

/** Loads all attempts of the deliveries, ordered by delivery and attempt number. */
export function loadAttempts({ sql }: Pick<Context, 'sql'>, deliveryIds: readonly string[]): Promise<WebhookAttempt[]> {
  return sql.all(ofDeliveries, [deliveryIds])
}
