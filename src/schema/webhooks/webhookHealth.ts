import {
  healthHours,
  loadHealth,
  openCountMax,
  type WebhookHealth,
  type WebhookHour,
} from '../../domain/webhooks/subscriptions/loadHealth.ts'
import { type WebhookDay, webhookDays } from '../../domain/webhooks/subscriptions/webhookDays.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { WebhookSubscriptionType } from './webhookSubscription.ts'

const WebhookHourType = builder.objectRef<WebhookHour>('WebhookHour')

builder.objectType(WebhookHourType, {
  description: 'The attempts of one hour.',
  authScopes: { caller: true },
  fields: (t) => ({
    start: t.expose('hour', { type: 'DateTime' }),
    delivered: t.exposeInt('delivered', { description: 'Successful attempts.' }),
    failedAttempts: t.exposeInt('failed', { description: 'Failed attempts.' }),
  }),
})

export const WebhookHealthType = builder.objectRef<WebhookHealth>('WebhookHealth')

const sumOf = (hours: WebhookHour[], name: 'delivered' | 'failed') => hours.reduce((sum, hour) => sum + hour[name], 0)

function successRateOf({ hours }: WebhookHealth): number | null {
  const [delivered, failed] = [sumOf(hours, 'delivered'), sumOf(hours, 'failed')]
  return delivered + failed === 0 ? null : delivered / (delivered + failed)
}

builder.objectType(WebhookHealthType, {
  description: `The requests to a receiver in this hour, in UTC, and in the ${healthHours - 1} hours before. Requests that we aborted are not counted.`,
  authScopes: { caller: true },
  fields: (t) => ({
    hours: t.expose('hours', { type: [WebhookHourType], description: 'Oldest first, including hours without requests.' }),
    delivered: t.int({ resolve: ({ hours }) => sumOf(hours, 'delivered') }),
    failedAttempts: t.int({ resolve: ({ hours }) => sumOf(hours, 'failed') }),
    successRate: t.float({
      nullable: true,
      description: 'The share of attempts with a 2xx response, 0 to 1. Null without attempts.',
      resolve: successRateOf,
    }),
    waiting: t.exposeInt('waiting', { description: `Open deliveries without an attempt, or sent again; counted up to ${openCountMax}.` }),
    retrying: t.exposeInt('retrying', { description: `Failed deliveries that get another attempt; counted up to ${openCountMax}.` }),
  }),
})

builder.objectField(WebhookSubscriptionType, 'health', (t) =>
  t.loadable({
    type: WebhookHealthType,
    load: (ids: string[], { context }) => loadHealth(context, ids),
    resolve: ({ id }) => id,
  }),
)

const WebhookDayType = builder.objectRef<WebhookDay>('WebhookDay')

builder.objectType(WebhookDayType, {
  description: 'The attempts of one day.',
  authScopes: { caller: true },
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day in UTC, as YYYY-MM-DD.' }),
    delivered: t.exposeInt('delivered', { description: 'Successful attempts.' }),
    failedAttempts: t.exposeInt('failed', { description: 'Failed attempts.' }),
  }),
})

builder.objectField(WebhookSubscriptionType, 'healthByDay', (t) =>
  t.field({
    type: [WebhookDayType],
    ...countsAsPage,
    description: 'The requests to the receiver on each of the last 30 days in UTC, oldest first, including days without requests.',
    resolve: ({ id }, _args, { context }) => webhookDays(context, id),
  }),
)
