import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/**
 * The open deliveries of a subscription. `due`: identifiers, the one longest due first; `waitSeconds` until the next one is, if there is
 * one. `unconfirmedOrigin`: scheme and host of its address while no subscription of its team has had a delivery accepted there.
 */
export type DueDeliveries = { due: string[]; waitSeconds: number | null; unconfirmedOrigin: string | null }

/** Closed rows stand at the head of the index until it is cleaned, so that each look takes a good many. */
const dueMax = 50

/** `address` and the `confirmed` addresses of its team only while the subscription itself has had nothing accepted. */
type DueRow = { subscriptionId: string; due: string[]; waitSeconds: number | null; address: string | null; confirmed: string[] | null }

const read = statement<DueRow>(
  'due_deliveries',
  `select d.subscription_id, d.due, d.wait_seconds, case when s.confirmed_at is null then s.address end as address,
     case when s.confirmed_at is null then array(
       select distinct o.address from webhook_subscriptions o where o.team_id = s.team_id and o.confirmed_at is not null) end as confirmed
     from due_webhook_deliveries($1, $2, $3) d join webhook_subscriptions s on s.id = d.subscription_id`,
)

/** What each of the subscriptions has due, without what is `inFlightIds`; nothing for those that are paused or deleted. */
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

/** By the parsed address: one origin has many spellings. */
function unconfirmedOriginOf({ address, confirmed }: DueRow): string | null {
  if (address === null) return null
  const origin = originOf(address)
  return confirmed?.some((each) => originOf(each) === origin) ? null : origin
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address
}

/** True when there may be more due than this. */
export function hasMoreDue({ due }: Pick<DueDeliveries, 'due'>): boolean {
  return due.length >= dueMax
}
