import { WebhookDelivery, type WebhookDeliveryState } from '../../entities/WebhookDelivery.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'

/** The delivery log of a subscription, newest event first; keyed by the event number in decimal digits. Spec: Delivery log. */
export async function listDeliveries(
  context: Context,
  { subscriptionId, state }: { subscriptionId: string; state?: WebhookDeliveryState | null | undefined },
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<WebhookDelivery[]> {
  const where = {
    subscriptionId,
    ...(state ? { state } : {}),
    eventNumber: { ...(after === undefined ? {} : { $lt: Number(after) }), ...(before === undefined ? {} : { $gt: Number(before) }) },
  }
  return await context.em().find(WebhookDelivery, where, { orderBy: { eventNumber: fromTheEnd ? 'asc' : 'desc' }, limit, refresh: true })
}

const eventNumberMax = 2_147_483_647

/** True for the key of an entry of such a list. */
export function isDeliveryKey(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= eventNumberMax
}
