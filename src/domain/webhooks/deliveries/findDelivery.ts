import { isId } from '../../../contract/ids.ts'
import type { DeliveryKind, WebhookDelivery } from '../../../entities/WebhookDelivery.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/**
 * A row of the delivery log, of a webhook, a callback or an alert. It has no body, because bodies are large and rarely needed.
 * `subscriptionId`: null for a callback. `receiverId`: the subscription, also the hidden one of a callback.
 */
export type LoggedDelivery = Omit<WebhookDelivery, 'body' | 'subscriptionId'> & {
  kind: DeliveryKind
  subscriptionId: string | null
  receiverId: string
  teamId: string
  address: string
}

export const loggedDeliveryColumns = `d.id,
  case r.kind when 'callbacks' then 'callback' when 'alerts' then 'alert' else 'webhook' end as kind,
  case r.kind when 'callbacks' then null else d.subscription_id end as subscription_id,
  d.subscription_id as receiver_id, r.team_id, case r.kind when 'callbacks' then c.url else r.address end as address, d.event_number, d.event, d.is_test,
  d.created_at, d.state, d.attempts, d.next_attempt_at, d.response_code, d.refusal, d.response_start`

/** The receiver `r` and the callback `c` of the delivery `d`. */
export const joinReceiver = `join webhook_subscriptions r on r.id = d.subscription_id
  left join callbacks c on r.kind = 'callbacks' and c.delivery_id = d.id`

const byId = statement<LoggedDelivery>(
  'find_delivery',
  `select ${loggedDeliveryColumns} from webhook_deliveries d ${joinReceiver} where d.id = $1`,
)
const bodiesById = statement<{ id: string; body: Buffer }>(
  'delivery_bodies',
  `select d.id, delivery_body(d.id, d.body, d.body_id) as body
     from unnest($1::text[]) as asked (id) cross join lateral (select id, body, body_id from webhook_deliveries where id = asked.id offset 0) d`,
)

/** Reads the current row of a delivery. `null` when there is none, or `id` is not a delivery identifier. */
export async function findDelivery(context: Context, id: string): Promise<LoggedDelivery | null> {
  return isId('evt', id) ? ((await context.sql.one(byId, [id])) ?? null) : null
}

/** Returns the stored bodies of deliveries in the order of `ids`; `undefined` for deleted ones. */
export async function deliveryBodies({ sql }: Pick<Context, 'sql'>, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
  const found = new Map((await sql.all(bodiesById, [ids])).map(({ id, body }) => [id, body]))
  return ids.map((id) => found.get(id))
}
