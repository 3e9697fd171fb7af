import { limits } from '../../contract/limits.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** A delivery that this process may attempt, once, until its lease ends. */
export type LeasedDelivery = {
  deliveryId: string
  subscriptionId: string
  address: string
  secret: Buffer
  /** Signs beside the newer one during an overlap. */
  olderSecret: Buffer | null
  isTest: boolean
  body: Buffer
  lease: string
  retriesLeft: number
  /** The subscription's last attempt failed. */
  troubled: boolean
}

/** The answer, and then time enough to write down how it went. */
const leaseSeconds = limits.webhookAnswerSeconds + 4

export const cutWords = 'cut short on our side'

const lease = statement<LeasedDelivery>('lease_deliveries', 'select * from lease_webhook_deliveries($1, $2, $3, $4, $5, $6)')

/**
 * Takes deliveries that are due, at most two in flight for each subscription over all processes. `troubledMax` bounds those for
 * receivers whose last attempt failed, so that they cannot take every place. A lease that its holder let run out is taken over.
 */
export function leaseDeliveries(
  context: Context,
  { holder, deliveriesMax, troubledMax }: { holder: string; deliveriesMax: number; troubledMax: number },
): Promise<LeasedDelivery[]> {
  return context.sql.all(lease, [holder, deliveriesMax, troubledMax, limits.webhookInFlightPerSubscription, leaseSeconds, cutWords])
}
