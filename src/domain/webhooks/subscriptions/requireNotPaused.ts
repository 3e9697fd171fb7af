import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import type { WebhookSubscription } from '../../../entities/WebhookSubscription.ts'

/** Nothing leaves during a pause, so that what is asked for would only wait unseen. Refusals: invalid_request at `field`. */
export function requireNotPaused({ paused }: WebhookSubscription, field: string): void {
  if (paused) throw invalidRequest({ in: 'body', path: [field], code: 'conflict', message: 'The subscription is paused: resume it first.' })
}
