import { z } from 'zod'
import { webhookEvents } from '../../entities/WebhookSubscription.ts'
import { moment } from './credits.ts'
import { generation } from './generation.ts'

/** The body of a webhook request. Contract: docs/contract.md#webhook-requests. */
export const webhookBody = z
  .object({
    id: z.string().meta({ description: 'The same in all attempts of one event; ignore an `id` that you have processed.' }),
    event: z.enum(webhookEvents).meta({ id: 'WebhookEventName' }),
    createdAt: moment.meta({ description: 'When the event happened, not when it was sent.' }),
    data: z.object({ generation }).meta({ id: 'WebhookData' }),
  })
  .meta({ id: 'WebhookBody' })
