import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** What a subscription has to be told. `due`: identifiers, the one longest due first; `waitSeconds` until the next one is, if there is one. */
export type DueDeliveries = { due: string[]; waitSeconds: number | null }

/** Closed rows stand at the head of the index until it is cleaned, so that each look takes a good many. */
const dueMax = 50

const read = statement<DueDeliveries & { subscriptionId: string }>(
  'due_deliveries',
  'select subscription_id, due, wait_seconds from due_webhook_deliveries($1, $2, $3)',
)

/** What each of the subscriptions has due, without what is `inHand`; nothing for those that are paused or deleted. */
export async function dueDeliveries(
  context: Context,
  subscriptionIds: readonly string[],
  inHand: readonly string[],
): Promise<DueDeliveries[]> {
  const rows = await context.sql.all(read, [subscriptionIds, inHand, dueMax])
  const found = new Map(rows.map(({ subscriptionId, ...rest }) => [subscriptionId, rest]))
  return subscriptionIds.map((id) => found.get(id) ?? { due: [], waitSeconds: null })
}

/** True when there may be more due than this. */
export function mayBeMore({ due }: DueDeliveries): boolean {
  return due.length >= dueMax
}
