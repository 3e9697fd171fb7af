import { isId } from '../../../contract/ids.ts'
import type { WebhookDelivery } from '../../../entities/WebhookDelivery.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** A delivery as the log tells of it: without its body, which is large and seldom asked for. */
export type LoggedDelivery = Omit<WebhookDelivery, 'body'>

export const loggedDeliveryColumns =
  'id, subscription_id, event_number, event, is_test, created_at, state, attempts, next_attempt_at, response_code, refusal, response_start'

const byId = statement<LoggedDelivery>('find_delivery', `select ${loggedDeliveryColumns} from webhook_deliveries where id = $1`)
const bodiesById = statement<{ id: string; body: Buffer }>(
  'delivery_bodies',
  `select d.id, delivery_body(d.id, d.body, d.body_id) as body
     from unnest($1::text[]) as asked (id) cross join lateral (select id, body, body_id from webhook_deliveries where id = asked.id offset 0) d`,
)

/** The delivery as the database has it now; `null` also for what is no identifier. */
export async function findDelivery(context: Context, id: string): Promise<LoggedDelivery | null> {
  return isId('evt', id) ? ((await context.sql.one(byId, [id])) ?? null) : null
}

/** The stored bodies of deliveries, in the order of their identifiers; `undefined` for those that have gone. */
export async function deliveryBodies({ sql }: Pick<Context, 'sql'>, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
  const found = new Map((await sql.all(bodiesById, [ids])).map(({ id, body }) => [id, body]))
  return ids.map((id) => found.get(id))
}
