import { WebhookAttempt } from '../../entities/WebhookAttempt.ts'
import type { Context } from '../context.ts'

/** All attempts of these deliveries, in the order in which each delivery made them. */
export function loadAttempts(context: Context, deliveryIds: readonly string[]): Promise<WebhookAttempt[]> {
  return context.em().find(WebhookAttempt, { deliveryId: { $in: [...deliveryIds] } }, { orderBy: { number: 'asc' }, refresh: true })
}
