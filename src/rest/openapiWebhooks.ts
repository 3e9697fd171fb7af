import { type WebhookEvent, webhookBody, webhookEvents } from '../contract/webhook.ts'

const summaries: Record<WebhookEvent, string> = {
  'generation.completed': 'A generation is ready',
  'generation.failed': 'A generation has failed',
  'generation.cancelled': 'A generation was cancelled',
}

const headers = {
  'X-Service-Signature': 'The moment and the HMAC-SHA256 of `<t>.<raw body>`: `t=<unix seconds>,v1=<hex>`; two `v1` while a secret is being replaced.',
  'webhook-id': 'The `id` of the body.',
  'webhook-timestamp': 'The moment of signing, in Unix seconds.',
  'webhook-signature': 'The signature by the Standard Webhooks scheme.',
}

/** The events as the document tells of them, each by its name. Spec: Events. */
export function webhookObjects(): Record<string, { post: object }> {
  const parameters = Object.entries(headers).map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }))
  return Object.fromEntries(
    webhookEvents.map((event) => [
      event,
      {
        post: {
          operationId: event.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary: summaries[event],
          description: 'Sent to the subscriptions of the team. Answer with 2xx within 10 seconds; anything else is tried again, up to six times.',
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema: webhookBody } } },
          responses: { '2XX': { description: 'Taken in.' }, default: { description: 'Not taken in; sent again later.' } },
        },
      },
    ]),
  )
}
