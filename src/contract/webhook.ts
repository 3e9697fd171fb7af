import { z } from 'zod'
import { moment } from './credits.ts'
import { generation } from './generation.ts'

/** The three events, one for each way to end. Spec: Event kinds. */
export const webhookEvents = ['generation.completed', 'generation.failed', 'generation.cancelled'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The body that a receiver gets. Spec: Events, Request. */
export const webhookBody = z
  .object({
    id: z.string().meta({ description: 'The same for all attempts of one event; drop what you have seen.' }),
    event: z.enum(webhookEvents),
    createdAt: moment.meta({ description: 'When it happened, not when it was sent.' }),
    data: z.object({ generation }),
  })
  .meta({ id: 'WebhookBody' })
