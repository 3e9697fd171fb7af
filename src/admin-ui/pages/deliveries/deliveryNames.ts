import { alertKinds } from '../alerts/alertKinds.ts'
import { eventNames } from '../webhooks/eventNames.ts'
import type { Delivery } from './deliveriesQuery.ts'

/** The name in the payload of an event or an alert. */
export function deliveryName(event: Delivery['event']): string {
  return { ...eventNames, ...alertKinds }[event].name
}

/** What a delivery belongs to. */
export const kindNames: Record<Delivery['kind'], string> = { WEBHOOK: 'Webhook', CALLBACK: 'Callback', ALERT: 'Alert' }
