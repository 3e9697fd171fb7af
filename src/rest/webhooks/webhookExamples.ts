import type { Example } from '../endpoint.ts'

const subscription = {
  id: 'hook_01kabc5m1dexampleexample00',
  address: 'https://hooks.example.com/atelier',
  events: ['generation.completed', 'generation.failed'],
  paused: false,
  autoPausedAt: null,
  createdAt: '2026-11-02T09:30:00.000Z',
  secretOverlapEndsAt: null,
  lastDeliveryDay: '2026-11-20',
  lastDeliveryOutcome: 'delivered',
}

const delivery = {
  id: 'evt_01kabc5m1dexampleexample00',
  kind: 'webhook',
  subscriptionId: subscription.id,
  address: subscription.address,
  event: 'generation.completed',
  eventNumber: 12,
  isTest: false,
  time: '2026-11-20T12:00:00.000Z',
  state: 'failed',
  attempts: 7,
  responseCode: 500,
  refusalText: 'the receiver answered 500: Internal Server Error',
  responseSnippet: 'Internal Server Error',
  nextAttemptAt: null,
}

const signingSecret = 'whsec_ExampleExampleExampleExampleExampleExample0='
const page = (item: unknown) => ({ page: { summary: 'The only page', value: { items: [item], nextCursor: null } } })

export const webhookExamples: Record<string, Example> = { webhook: { summary: 'A webhook', value: subscription } }
export const webhookListExamples: Record<string, Example> = page(subscription)
export const webhookWithSecretExamples: Record<string, Example> = {
  secret: { summary: 'The secret, shown once', value: { subscription, signingSecret } },
}
export const newWebhookExamples: Record<string, Example> = {
  webhook: { summary: 'A receiver of two events', value: { address: subscription.address, events: subscription.events } },
}
export const webhookChangeExamples: Record<string, Example> = { pause: { summary: 'A pause', value: { paused: true } } }
export const deliveryExamples: Record<string, Example> = { delivery: { summary: 'A failed delivery', value: delivery } }
export const deliveryListExamples: Record<string, Example> = page(delivery)
export const callbackSecretExamples: Record<string, Example> = {
  secret: { summary: 'The secret', value: { signingSecret, secretOverlapEndsAt: null } },
}
