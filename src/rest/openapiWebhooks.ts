import { webhookBody } from '../contract/shapes/webhook.ts'
import type { WebhookEvent } from '../entities/WebhookSubscription.ts'
import { generationExamples } from './generations/generationExamples.ts'

type EventWords = { summary: string; example: (typeof generationExamples)[keyof typeof generationExamples] }

const words: Record<WebhookEvent, EventWords> = {
  'generation.completed': { summary: 'A generation is ready', example: generationExamples.ready },
  'generation.failed': { summary: 'A generation has failed', example: generationExamples.failed },
  'generation.cancelled': { summary: 'A generation was cancelled', example: generationExamples.cancelled },
}

/** What is sent beside an event, each by a name for code. */
export const webhookParameters: Record<string, { name: string; in: 'header'; required: boolean; description: string; schema: object }> = {
  ServiceSignature: header(
    'X-Service-Signature',
    'The moment of signing and the HMAC-SHA256 of `<t>.<raw body>` under the bytes of the whole printed secret: `t=<unix seconds>,v1=<hex>`; two `v1` while a secret is being replaced. Refuse what is older than 300 seconds.',
  ),
  WebhookId: header('webhook-id', 'The `id` of the body.'),
  WebhookTimestamp: header('webhook-timestamp', 'The moment of signing, in Unix seconds.'),
  WebhookSignature: header('webhook-signature', 'The signature by the Standard Webhooks scheme.'),
  AtelierTest: { ...header('X-Atelier-Test', '`1` on an event that was sent to try the address.'), required: false },
}

const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } } as const
}

/** The events as the document tells of them, each by its name. Contract: docs/contract.md#events. */
export function webhookObjects(): Record<WebhookEvent, { post: object }> {
  const events = webhookBody.shape.event.options.map((event) => [event, { post: eventObject(event) }] as const)
  return Object.fromEntries(events) as Record<WebhookEvent, { post: object }>
}

function eventObject(event: WebhookEvent): object {
  const { summary, example } = words[event]
  const value = {
    id: 'evt_01kabc5m1dexampleexample00',
    event,
    createdAt: example.value.finishedAt,
    data: { generation: example.value },
  }
  return {
    operationId: event.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Events'],
    summary,
    description:
      'Sent to the subscriptions of the team. Answer with 2xx within 10 seconds; anything else is tried again, up to six times. The same `id` may come more than once, and events may come in any order.',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: webhookBody, examples: { [event]: { summary, value } } } } },
    responses: { '2XX': { description: 'Taken in.' }, default: { description: 'Not taken in; sent again later.' } },
  }
}
