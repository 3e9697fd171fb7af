import { isId } from '../../contract/ids.ts'
import { WebhookDelivery } from '../../entities/WebhookDelivery.ts'
import type { Context } from '../context.ts'

/** The delivery as the database has it now; `null` also for what is no identifier. */
export async function findDelivery(context: Context, id: string): Promise<WebhookDelivery | null> {
  return isId('evt', id) ? await context.em().findOne(WebhookDelivery, { id }, { refresh: true }) : null
}
