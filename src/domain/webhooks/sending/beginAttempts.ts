import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

/** An attempt that is recorded as begun, with the data to make it. `number` counts the attempts of the delivery. */
export type BegunAttempt = {
  deliveryId: string
  subscriptionId: string
  number: number
  /** Database time. It is also the signed timestamp. */
  begunAt: Date
  retriesLeft: number
  address: string
  secret: Buffer
  /** Also signs during an overlap. */
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
 * Records that attempts begin, before anything is sent. After a crash the attempt is listed as cut when the delivery begins again.
 * Returns `undefined` for deliveries that are no longer due. The caller must hold the lock of the subscription. Locks: deliveries.
 */
export async function beginAttempts(context: Context, deliveryIds: readonly string[]): Promise<(BegunAttempt | undefined)[]> {
  const begun = new Map((await context.sql.all(begin, [deliveryIds, interruptedMessage])).map((row) => [row.deliveryId, row]))
  return deliveryIds.map((id) => begun.get(id))
}
