import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/**
 * The open deliveries of a subscription. `due`: identifiers, longest due first. `waitSeconds`: until the next delivery is due, if there
 * is one.
 * `unconfirmedOrigin`: scheme and host of the address while no subscription of the team has had a delivery accepted there.
 */
export type DueDeliveries = { due: string[]; waitSeconds: number | null; unconfirmedOrigin: string | null }

/** Large, because closed rows stay at the start of the index until it is vacuumed. */
const dueMax = 50

/** `address` and the `confirmed` addresses of the team are set only while the subscription itself had no delivery accepted. */
type DueRow = { subscriptionId: string; due: string[]; waitSeconds: number | null; address: string | null; confirmed: string[] | null }

const read = statement<DueRow>(
  'due_deliveries',
  `select d.subscription_id, d.due, d.wait_seconds, case when s.confirmed_at is null then s.address end as address,
     case when s.confirmed_at is null then array(
       select distinct o.address from webhook_subscriptions o where o.team_id = s.team_id and o.confirmed_at is not null) end as confirmed
     from due_webhook_deliveries($1, $2, $3) d join webhook_subscriptions s on s.id = d.subscription_id`,
)

/** Reads the due deliveries of each subscription, except `inFlightIds`. Paused and deleted subscriptions have none. */
export async function dueDeliveries(
  context: Context,
  subscriptionIds: readonly string[],
  inFlightIds: readonly string[],
): Promise<DueDeliveries[]> {
  const rows = await context.sql.all(read, [subscriptionIds, inFlightIds, dueMax])
  const found = new Map(
    rows.map((row) => [row.subscriptionId, { due: row.due, waitSeconds: row.waitSeconds, unconfirmedOrigin: unconfirmedOriginOf(row) }]),
  )
  return subscriptionIds.map((id) => found.get(id) ?? { due: [], waitSeconds: null, unconfirmedOrigin: null })
}

/** Compares parsed addresses, because one origin has several spellings. */
function unconfirmedOriginOf({ address, confirmed }: DueRow): string | null {
  if (address === null) return null
  const origin = originOf(address)
  return confirmed?.some((each) => originOf(each) === origin) ? null : origin
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address
}

/** True when more deliveries may be due than were read. */
export function hasMoreDue({ due }: Pick<DueDeliveries, 'due'>): boolean {
  return due.length >= dueMax
}
