import { isId } from '../../../contract/ids.ts'
import type { AlertSubscription } from '../../../entities/AlertSubscription.ts'
import type { Context } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'

const columns = `id, team_id, address, events as kinds, paused, created_at, deleted_at, older_secret_until, last_delivery_day,
  last_delivery_outcome`

const byId = statement<AlertSubscription>(
  'find_alert_subscription',
  `select ${columns} from webhook_subscriptions where id = $1 and kind = 'alerts'`,
)
const byIds = statement<AlertSubscription>(
  'load_alert_subscriptions',
  `select ${columns} from webhook_subscriptions where id = any($1) and kind = 'alerts'`,
)
const lock = statement<AlertSubscription>(
  'lock_alert_subscription',
  `select ${columns} from webhook_subscriptions where id = $1 and kind = 'alerts' and deleted_at is null for no key update`,
)

function page(name: string, order: 'asc' | 'desc') {
  return statement<AlertSubscription>(
    name,
    `select ${columns} from webhook_subscriptions
       where team_id = $1 and kind = 'alerts' and (deleted_at is null or $5) and id < coalesce($2, 'i') and id > coalesce($3, '')
       order by id ${order} limit $4`,
  )
}
const newestFirst = page('list_alert_subscriptions', 'desc')
const oldestFirst = page('list_alert_subscriptions_from_the_end', 'asc')

/** Reads a subscription to alerts, also a deleted one. `null` when there is none. */
export async function findAlertSubscription({ sql }: Pick<Context, 'sql'>, id: string): Promise<AlertSubscription | null> {
  return isId('hook', id) ? ((await sql.one(byId, [id])) ?? null) : null
}

/** Reads a subscription to alerts that is not deleted. Refusals: invalid_request at `field`. */
export async function requireAlertSubscription({ sql }: Pick<Context, 'sql'>, id: string, field = 'id'): Promise<AlertSubscription> {
  const found = await findAlertSubscription({ sql }, id)
  if (!found || found.deletedAt) throw unknownId(field, 'subscription')
  return found
}

/** Locks and reads a subscription to alerts that is not deleted. Refusals: invalid_request at `id`. Locks: the subscription. */
export async function lockAlertSubscription({ sql }: Pick<Context, 'sql'>, id: string): Promise<AlertSubscription> {
  const found = isId('hook', id) ? await sql.one(lock, [id]) : undefined
  if (!found) throw unknownId('id', 'subscription')
  return found
}

/** Loads the subscriptions to alerts that exist, in any order. Includes deleted ones while their log is readable. */
export function loadAlertSubscriptions({ sql }: Pick<Context, 'sql'>, ids: readonly string[]): Promise<AlertSubscription[]> {
  return sql.all(byIds, [ids])
}

/** Lists the subscriptions of a team to alerts by `id`, newest first. Deleted ones only with `withDeleted`. */
export function listAlertSubscriptions(
  { sql }: Pick<Context, 'sql'>,
  { teamId, withDeleted }: { teamId: string; withDeleted: boolean },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<AlertSubscription[]> {
  return sql.all(fromTheEnd ? oldestFirst : newestFirst, [teamId, after ?? null, before ?? null, limit, withDeleted])
}
