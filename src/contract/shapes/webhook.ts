import { z } from 'zod'
import { moment } from './credits.ts'
import { generation } from './generation.ts'
import { webhookEvent } from './webhookInputs.ts'

/** The body of a webhook request. Contract: docs/contract.md#webhook-requests. */
export const webhookBody = z
  .object({
    id: z.string().meta({ description: 'The same in all attempts of one event; ignore an `id` that you have processed.' }),
    event: webhookEvent,
    createdAt: moment.meta({ description: 'When the event happened, not when it was sent.' }),
    data: z.object({ generation }).meta({ id: 'WebhookData' }),
  })
  .meta({ id: 'WebhookBody' })
