import { z } from 'zod'
import { webhookEvents } from '../../entities/WebhookSubscription.ts'
import { moment } from './credits.ts'
import { generation } from './generation.ts'

/** The body that a receiver gets. Contract: docs/contract.md#webhook-requests. */
export const webhookBody = z
  .object({
    id: z.string().meta({ description: 'The same for all attempts of one event; drop what you have seen.' }),
    event: z.enum(webhookEvents).meta({ id: 'WebhookEventName' }),
    createdAt: moment.meta({ description: 'When it happened, not when it was sent.' }),
    data: z.object({ generation }).meta({ id: 'WebhookData' }),
  })
  .meta({ id: 'WebhookBody' })
