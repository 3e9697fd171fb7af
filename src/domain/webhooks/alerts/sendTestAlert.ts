import { newId } from '../../../contract/ids.ts'
import { momentOf } from '../../../contract/shapes/credits.ts'
import type { AlertKind } from '../../../entities/AlertSubscription.ts'
import type { Context } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { addTestDelivery } from '../deliveries/addTestDelivery.ts'
import type { LoggedDelivery } from '../deliveries/findDelivery.ts'
import { requireAlertSubscription } from './findAlertSubscription.ts'

/**
 * Sends a sample alert, by default of the first kind of the subscription. It is signed, logged and retried like any other alert, has the
 * header `X-Atelier-Test`, and does not count as the alert of the day.
 * Refusals: invalid_request at `subscriptionId`; rate_limited. Locks: the subscription. Contract: docs/contract.md#test-events.
 */
export async function sendTestAlert(
  context: Context,
  { subscriptionId, kind }: { subscriptionId: string; kind?: AlertKind | null | undefined },
): Promise<LoggedDelivery> {
  const subscription = await requireAlertSubscription(context, subscriptionId, 'subscriptionId')
  const event = kind ?? subscription.kinds[0]
  invariant(event, 'a subscription has a kind of alerts')
  const sampleAt = (now: Date) => ({ teamId: subscription.teamId, ...samples[event](now) })
  return await addTestDelivery(context, subscription, { action: 'alert_subscription.tested', event, sampleAt })
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const sampleKey = () => ({ keyId: newId('key'), name: 'Sample key' })

/** The fields of `data` besides `teamId`. The identifiers belong to nothing. */
const samples: Record<AlertKind, (now: Date) => object> = {
  'credits.low': () => ({ creditsAvailable: 42, creditsHeld: 8, lowCreditsThreshold: 50 }),
  'key.near_ceiling': (now) => ({
    ...sampleKey(),
    limitKind: 'daily',
    percent: 80,
    limitCredits: 100,
    spentCredits: 80,
    heldCredits: 4,
    resetsAt: momentOf(new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)),
  }),
  'webhook.failing': () => ({ subscriptionId: newId('hook'), deliveryId: newId('evt'), attempts: 7, responseCode: 500 }),
  'key.expiring': (now) => ({ ...sampleKey(), expiresAt: momentOf(new Date(now.getTime() + 7 * dayMs - hourMs)), days: 7 }),
  'plan.expiring': (now) => ({ planExpiresAt: momentOf(new Date(now.getTime() + 7 * dayMs - hourMs)), days: 7 }),
}
