import { webhookBody } from '../contract/shapes/webhook.ts'
import type { WebhookEvent } from '../entities/WebhookSubscription.ts'
import { generationExamples } from './generations/generationExamples.ts'

type EventWords = { summary: string; example: (typeof generationExamples)[keyof typeof generationExamples] }

const words: Record<WebhookEvent, EventWords> = {
  'generation.completed': { summary: 'A generation is ready', example: generationExamples.ready },
  'generation.failed': { summary: 'A generation has failed', example: generationExamples.failed },
  'generation.cancelled': { summary: 'A generation was cancelled', example: generationExamples.cancelled },
}

/** The headers of a webhook request, by component name. */
export const webhookParameters: Record<string, { name: string; in: 'header'; required: boolean; description: string; schema: object }> = {
  ServiceSignature: header(
    'X-Service-Signature',
    'The time of signing and the HMAC-SHA256 of `<t>.<raw body>`: `t=<unix seconds>,v1=<hex>`. The key is the whole secret as text. During a rotation there are two `v1`. Refuse requests older than 300 seconds.',
  ),
  WebhookId: header('webhook-id', 'The `id` of the body.'),
  WebhookTimestamp: header('webhook-timestamp', 'The time of signing, in Unix seconds.'),
  WebhookSignature: header('webhook-signature', 'The signature by the Standard Webhooks scheme.'),
  AtelierTest: { ...header('X-Atelier-Test', '`1` for a test event.'), required: false },
}

const parameters = Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } } as const
}

/** The webhooks of the OpenAPI document, by event name. Contract: docs/contract.md#events. */
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
      'Sent to the subscriptions of the team. Respond with 2xx within 10 seconds. After another response the service retries, up to six times. The same `id` may arrive more than once, and events may arrive in any order.',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: webhookBody, examples: { [event]: { summary, value } } } } },
    responses: { '2XX': { description: 'Accepted.' }, default: { description: 'Not accepted; the service retries later.' } },
  }
}
