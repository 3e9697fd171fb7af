import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** An attempt that is written down as begun, and what it takes to make it. `number` counts the attempts of the delivery. */
export type BegunAttempt = {
  deliveryId: string
  subscriptionId: string
  number: number
  /** By the database's clock; it is signed with this time. */
  begunAt: Date
  retriesLeft: number
  address: string
  secret: Buffer
  /** Signs beside the newer one during an overlap. */
  olderSecret: Buffer | null
  isTest: boolean
  body: Buffer
}

export const interruptedMessage = 'cut short on our side'

const begin = statement<BegunAttempt>(
  'begin_attempts',
  `select delivery_id, subscription_id, number, begun_at, retries_left, address, secret, older_secret, is_test, body
     from begin_webhook_attempts($1, $2)`,
)

/**
 * Writes down that attempts begin, before anything is sent, so that one whose process dies is known of: it is listed as cut when it is
 * begun again. `undefined` for what is not due any more. Only for whoever holds the lock of the subscription. Locks: deliveries.
 */
export async function beginAttempts(context: Context, deliveryIds: readonly string[]): Promise<(BegunAttempt | undefined)[]> {
  const begun = new Map((await context.sql.all(begin, [deliveryIds, interruptedMessage])).map((row) => [row.deliveryId, row]))
  return deliveryIds.map((id) => begun.get(id))
}
