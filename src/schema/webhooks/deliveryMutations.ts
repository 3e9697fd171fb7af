import { sendTestAlert } from '../../domain/webhooks/alerts/sendTestAlert.ts'
import { redeliver, redeliverFailed } from '../../domain/webhooks/deliveries/redeliver.ts'
import { sendTestEvent } from '../../domain/webhooks/deliveries/sendTestEvent.ts'
import { builder } from '../core/builder.ts'
import { allow } from '../core/scopes.ts'
import { AlertKindEnum, alertAdminScopes } from './alertSubscription.ts'
import { deliveryAdminScopes, receiverAdminScopes, WebhookDeliveryType } from './webhookDelivery.ts'
import { subscriptionAdminScopes } from './webhookSubscription.ts'

const SendTestEventInput = builder.inputType('SendTestEventInput', { fields: (t) => ({ subscriptionId: t.id({ required: true }) }) })
const SendTestAlertInput = builder.inputType('SendTestAlertInput', {
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: 'The subscription to alerts.' }),
    kind: t.field({ type: AlertKindEnum, description: 'The alert to send, subscribed or not. Omitted: the first of the subscription.' }),
  }),
})
const RedeliverInput = builder.inputType('RedeliverInput', { fields: (t) => ({ deliveryId: t.id({ required: true }) }) })
const RedeliverFailedInput = builder.inputType('RedeliverFailedInput', {
  fields: (t) => ({
    subscriptionId: t.id({ description: 'A subscription to events or to alerts. Omitted with `callbacksOf`.' }),
    callbacksOf: t.id({ description: 'The team whose callbacks of starts are sent again, in place of a subscription.' }),
    since: t.field({ type: 'DateTime', required: true, description: 'Events at that time or later.' }),
    max: t.int({ description: 'The maximum, oldest first. A repeat continues with the rest. Omitted: all.' }),
  }),
})

builder.mutationFields((t) => ({
  sendTestEvent: t.field({
    type: WebhookDeliveryType,
    description: 'Sends a `generation.completed` with sample data and the header `X-Atelier-Test: 1`.',
    args: { input: t.arg({ type: SendTestEventInput, required: true }) },
    authScopes: (_root, { input }, { context }) => subscriptionAdminScopes(context, input.subscriptionId),
    resolve: (_root, { input }, { context }) => sendTestEvent(context, input.subscriptionId),
  }),
  sendTestAlert: t.field({
    type: WebhookDeliveryType,
    description: 'Sends an alert with sample data and the header `X-Atelier-Test: 1`.',
    args: { input: t.arg({ type: SendTestAlertInput, required: true }) },
    authScopes: (_root, { input }, { context }) => alertAdminScopes(context, input.subscriptionId),
    resolve: (_root, { input }, { context }) => sendTestAlert(context, input),
  }),
  redeliver: t.field({
    type: WebhookDeliveryType,
    description: 'Sends the same body with the same identifier again, in every state of the delivery.',
    args: { input: t.arg({ type: RedeliverInput, required: true }) },
    authScopes: (_root, { input }, { context }) => deliveryAdminScopes(context, input.deliveryId),
    resolve: (_root, { input }, { context }) => redeliver(context, input.deliveryId),
  }),
  redeliverFailed: t.int({
    description: 'Sends all failed deliveries of a subscription, or of the callbacks of a team, again. Returns their number.',
    args: {
      input: t.arg({ type: RedeliverFailedInput, required: true }),
      max: t.arg.int({
        description: 'The former place of `max`. That of the input takes precedence.',
        deprecationReason: 'Use `max` of the input.',
      }),
    },
    authScopes: (_root, { input: { subscriptionId, callbacksOf } }, { context }) =>
      callbacksOf && !subscriptionId ? allow('webhooks.manage', callbacksOf) : receiverAdminScopes(context, subscriptionId ?? ''),
    resolve: (_root, { input, max }, { context }) => redeliverFailed(context, { ...input, max: input.max ?? max }),
  }),
}))
