import type { WebhookEvent } from './webhooksQuery.ts'

/** The events by the name in the payload, with their meaning. */
export const eventNames: Record<WebhookEvent, { name: string; when: string }> = {
  GENERATION_COMPLETED: { name: 'generation.completed', when: 'The work finished and its result is ready.' },
  GENERATION_FAILED: { name: 'generation.failed', when: 'The work failed; nothing was charged.' },
  GENERATION_CANCELLED: { name: 'generation.cancelled', when: 'The generation was cancelled.' },
}

export const allEvents = Object.keys(eventNames) as WebhookEvent[]
