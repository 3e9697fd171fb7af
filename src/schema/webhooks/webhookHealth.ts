import {
  healthHours,
  loadHealth,
  openCountMax,
  type WebhookHealth,
  type WebhookHour,
} from '../../domain/webhooks/subscriptions/loadHealth.ts'
import { builder } from '../core/builder.ts'
import { WebhookSubscriptionType } from './webhookSubscription.ts'

const WebhookHourType = builder.objectRef<WebhookHour>('WebhookHour')

builder.objectType(WebhookHourType, {
  description: 'What one hour brought.',
  authScopes: { caller: true },
  fields: (t) => ({
    start: t.expose('hour', { type: 'DateTime' }),
    delivered: t.exposeInt('delivered', { description: 'Deliveries that arrived.' }),
    failedAttempts: t.exposeInt('failed', { description: 'Attempts that failed.' }),
  }),
})

const WebhookHealthType = builder.objectRef<WebhookHealth>('WebhookHealth')

const sumOf = (hours: WebhookHour[], name: 'delivered' | 'failed') => hours.reduce((sum, hour) => sum + hour[name], 0)

function successRateOf({ hours }: WebhookHealth): number | null {
  const [delivered, failed] = [sumOf(hours, 'delivered'), sumOf(hours, 'failed')]
  return delivered + failed === 0 ? null : delivered / (delivered + failed)
}

builder.objectType(WebhookHealthType, {
  description: `How requests to a receiver went in this hour, in UTC, and the ${healthHours - 1} before it. What we cut ourselves counts neither way.`,
  authScopes: { caller: true },
  fields: (t) => ({
    hours: t.expose('hours', { type: [WebhookHourType], description: 'The oldest first, those without requests included.' }),
    delivered: t.int({ resolve: ({ hours }) => sumOf(hours, 'delivered') }),
    failedAttempts: t.int({ resolve: ({ hours }) => sumOf(hours, 'failed') }),
    successRate: t.float({
      nullable: true,
      description: 'How many of all attempts were answered with a 2xx, 0 to 1. Null when there was none.',
      resolve: successRateOf,
    }),
    waiting: t.exposeInt('waiting', { description: `Open now and not tried yet, or sent again; counted up to ${openCountMax}.` }),
    retrying: t.exposeInt('retrying', { description: `Failed so far and to be tried again; counted up to ${openCountMax}.` }),
  }),
})

builder.objectField(WebhookSubscriptionType, 'health', (t) =>
  t.loadable({
    type: WebhookHealthType,
    load: (ids: string[], { context }) => loadHealth(context, ids),
    resolve: ({ id }) => id,
  }),
)
