import type { DeliveryRecord, WebhookRecord } from '../../contract/shapes/webhookRecord.ts'
import { listDeliveries, listTeamDeliveries } from '../../domain/webhooks/deliveries/listDeliveries.ts'
import { listSubscriptions } from '../../domain/webhooks/subscriptions/findSubscription.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { managedTeamId } from '../core/managedTeamId.ts'
import { allow } from '../core/scopes.ts'
import { sealedPage } from '../core/sealedPage.ts'
import { DeliveryKindEnum, WebhookDeliveryStateEnum } from './deliveryEnums.ts'
import { deliveryDocument, webhookDocument } from './webhookDocuments.ts'
import { subscriptionAdminScopes, WebhookEventEnum } from './webhookSubscription.ts'

type List<Item> = { items: Item[]; nextCursor: string | null }

const WebhookListType = builder.objectRef<List<WebhookRecord>>('WebhookSubscriptionList')
const DeliveryListType = builder.objectRef<List<DeliveryRecord>>('WebhookDeliveryList')

builder.objectType(WebhookListType, {
  authScopes: { caller: true },
  fields: (t) => ({ json: t.field({ type: 'JSON', description: 'The response of GET /webhooks.', resolve: (list) => list }) }),
})

builder.objectType(DeliveryListType, {
  authScopes: { caller: true },
  fields: (t) => ({
    json: t.field({
      type: 'JSON',
      description: 'The response of GET /deliveries, and of GET /webhooks/{id}/deliveries.',
      resolve: (list) => list,
    }),
  }),
})

builder.queryFields((t) => ({
  webhookSubscriptionList: t.field({
    type: WebhookListType,
    ...countsAsPage,
    description: 'The webhooks of the named team, or of the team of the key; newest first.',
    args: { teamId: t.arg.id(), cursor: t.arg.string(), limit: t.arg.int() },
    authScopes: (_root, { teamId }, { context }) => allow('webhooks.manage', managedTeamId(context, teamId)),
    resolve: (_root, { teamId: named, ...page }, { context }) => {
      const teamId = managedTeamId(context, named)
      return sealedPage(context, page, {
        of: ['webhooks', teamId],
        find: (window) => listSubscriptions(context, { teamId, withDeleted: false }, window),
        keyOf: ({ id }) => id,
        present: async (subscriptions) => subscriptions.map((each) => webhookDocument(each, context.clock.now())),
      })
    },
  }),
  webhookDeliveryList: t.field({
    type: DeliveryListType,
    ...countsAsPage,
    description: 'The delivery log of a webhook in the last 30 days, newest event first.',
    args: {
      subscriptionId: t.arg.id({ required: true }),
      state: t.arg({ type: WebhookDeliveryStateEnum }),
      event: t.arg({ type: WebhookEventEnum }),
      since: t.arg({ type: 'DateTime' }),
      cursor: t.arg.string(),
      limit: t.arg.int(),
    },
    authScopes: (_root, { subscriptionId }, { context }) => subscriptionAdminScopes(context, subscriptionId),
    resolve: (_root, { subscriptionId, state, event, since, ...page }, { context }) =>
      sealedPage(context, page, {
        of: ['deliveries', subscriptionId, state ?? null, event ?? null, since?.toISOString() ?? null],
        find: (window) =>
          context.history.read(context.sql, (sql) =>
            listDeliveries({ sql }, { subscriptionIds: [subscriptionId], state, event, since }, window),
          ),
        keyOf: ({ cursor }) => cursor,
        present: async (deliveries) => deliveries.map(deliveryDocument),
      }),
  }),
}))

builder.queryField('teamDeliveryList', (t) =>
  t.field({
    type: DeliveryListType,
    ...countsAsPage,
    description: 'The delivery log of the named team, or of the team of the key, in the last 30 days; newest event first.',
    args: {
      teamId: t.arg.id(),
      callbacks: t.arg.boolean({ description: 'True: only callbacks of starts, like the kind `CALLBACK`.' }),
      kind: t.arg({ type: DeliveryKindEnum, description: 'Only deliveries of that kind.' }),
      state: t.arg({ type: WebhookDeliveryStateEnum, description: 'Only deliveries in that state.' }),
      event: t.arg({ type: WebhookEventEnum, description: 'Only deliveries of that event.' }),
      since: t.arg({ type: 'DateTime', description: 'Events at that time or later.' }),
      cursor: t.arg.string(),
      limit: t.arg.int(),
    },
    authScopes: (_root, { teamId }, { context }) => allow('webhooks.manage', managedTeamId(context, teamId)),
    resolve: (_root, { teamId: named, callbacks, kind, state, event, since, ...page }, { context }) => {
      const teamId = managedTeamId(context, named)
      return sealedPage(context, page, {
        of: [
          'team deliveries',
          teamId,
          callbacks ?? null,
          state ?? null,
          event ?? null,
          since?.toISOString() ?? null,
          ...(kind ? [kind] : []),
        ],
        find: (window) =>
          context.history.read(context.sql, (sql) =>
            listTeamDeliveries({ sql }, { teamId, kind: callbacks ? 'callback' : kind, state, event, since }, window),
          ),
        keyOf: ({ cursor }) => cursor,
        present: async (deliveries) => deliveries.map(deliveryDocument),
      })
    },
  }),
)
