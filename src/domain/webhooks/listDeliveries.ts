import type { WebhookDeliveryState } from '../../entities/WebhookDelivery.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { type Statement, statement } from '../sql.ts'
import { type LoggedDelivery, loggedDeliveryColumns } from './findDelivery.ts'

/** One statement for each way to ask, each a stretch of one index: plans that serve several of them serve none. */
const newestFirst = page('list_deliveries', '', 'desc')
const oldestFirst = page('list_deliveries_from_the_end', '', 'asc')
const newestOfState = page('list_deliveries_of_state', 'and state = $5', 'desc')
const oldestOfState = page('list_deliveries_of_state_from_the_end', 'and state = $5', 'asc')

function page(name: string, filter: string, order: 'asc' | 'desc'): Statement<LoggedDelivery> {
  return statement(
    name,
    `select ${loggedDeliveryColumns} from webhook_deliveries
       where subscription_id = $1 and event_number < $2 and event_number > $3 ${filter} order by event_number ${order} limit $4`,
  )
}

const eventNumberMax = 2_147_483_647

/**
 * The delivery log of a subscription, newest event first; keyed by the event number in decimal digits. Bodies are not read.
 * Spec: Delivery log.
 */
export function listDeliveries(
  context: Context,
  { subscriptionId, state }: { subscriptionId: string; state?: WebhookDeliveryState | null | undefined },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<LoggedDelivery[]> {
  const window = [subscriptionId, Number(after ?? eventNumberMax), Number(before ?? 0), limit]
  if (!state) return context.sql.all(fromTheEnd ? oldestFirst : newestFirst, window)
  return context.sql.all(fromTheEnd ? oldestOfState : newestOfState, [...window, state])
}

/** True for the key of an entry of such a list. */
export function isDeliveryKey(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= eventNumberMax
}
