import { isId } from '../../../contract/ids.ts'
import type { WebhookDelivery } from '../../../entities/WebhookDelivery.ts'
import { webhookEvents } from '../../../entities/WebhookSubscription.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** A row of the delivery log. It has no body, because bodies are large and rarely needed. */
export type LoggedDelivery = Omit<WebhookDelivery, 'body'>

export const loggedDeliveryColumns =
  'id, subscription_id, event_number, event, is_test, created_at, state, attempts, next_attempt_at, response_code, refusal, response_start'

const byId = statement<LoggedDelivery>(
  'find_delivery',
  `select ${loggedDeliveryColumns} from webhook_deliveries where id = $1 and event = any($2)`,
)
const bodiesById = statement<{ id: string; body: Buffer }>(
  'delivery_bodies',
  `select d.id, delivery_body(d.id, d.body, d.body_id) as body
     from unnest($1::text[]) as asked (id) cross join lateral (select id, body, body_id from webhook_deliveries where id = asked.id offset 0) d`,
)

/** Reads the current row of a delivery of an event. `null` when there is none, it is of an alert, or `id` is not a delivery identifier. */
export async function findDelivery(context: Context, id: string): Promise<LoggedDelivery | null> {
  return isId('evt', id) ? ((await context.sql.one(byId, [id, webhookEvents])) ?? null) : null
}

/** Returns the stored bodies of deliveries in the order of `ids`; `undefined` for deleted ones. */
export async function deliveryBodies({ sql }: Pick<Context, 'sql'>, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
  const found = new Map((await sql.all(bodiesById, [ids])).map(({ id, body }) => [id, body]))
  return ids.map((id) => found.get(id))
}
