import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'

/** Refuses an action that would send nothing until the subscription is resumed. Refusals: invalid_request at `field`. */
export function requireNotPaused({ paused }: WebhookSubscription, field: string): void {
  if (paused) throw invalidRequest({ in: 'body', path: [field], code: 'conflict', message: 'The subscription is paused. Resume it first.' })
}
