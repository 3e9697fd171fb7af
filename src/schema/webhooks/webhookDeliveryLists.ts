import { getGeneration } from '../../domain/generations/reading/getGeneration.ts'
import { deliveriesOfGeneration } from '../../domain/webhooks/deliveries/deliveriesOfGeneration.ts'
import {
  isDeliveryCursor,
  type ListedDelivery,
  listDeliveries,
  listTeamDeliveries,
} from '../../domain/webhooks/deliveries/listDeliveries.ts'
import { builder } from '../core/builder.ts'
import { countsAsPage } from '../core/fieldSizes.ts'
import { keysetConnection } from '../core/keysetConnection.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { DeliveryKindEnum, WebhookDeliveryStateEnum } from './deliveryEnums.ts'
import { WebhookDeliveryType } from './webhookDelivery.ts'
import { WebhookEventEnum, WebhookSubscriptionType } from './webhookSubscription.ts'

const byPlace = { keyOf: ({ cursor }: ListedDelivery) => cursor, isKey: isDeliveryCursor }

const filterArguments = builder.args((t) => ({
  state: t.field({ type: WebhookDeliveryStateEnum }),
  event: t.field({ type: WebhookEventEnum }),
  since: t.field({ type: 'DateTime', description: 'Events at that time or later.' }),
  until: t.field({ type: 'DateTime', description: 'Events before that time.' }),
}))

builder.objectField(WebhookSubscriptionType, 'deliveries', (t) =>
  t.connection({
    type: WebhookDeliveryType,
    description: 'The delivery log of the last 30 days, newest event first.',
    args: filterArguments,
    resolve: ({ id }, { state, event, since, until, ...page }, { context }) =>
      keysetConnection(page, {
        ...byPlace,
        find: (window) =>
          context.history.read(context.sql, (sql) =>
            listDeliveries({ sql }, { subscriptionIds: [id], state, event, since, until }, window),
          ),
      }),
  }),
)

builder.objectField(TeamType, 'generationDeliveries', (t) =>
  t.field({
    type: [WebhookDeliveryType],
    ...countsAsPage,
    description: 'The deliveries of the event of one generation, at most 100. Empty before its end.',
    args: { id: t.arg.id({ required: true, description: 'The generation.' }) },
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: async ({ id: teamId }, { id: generationId }, { context }) => {
      const { finishedAt } = await getGeneration(context, { ownerId: teamId, keyId: null }, generationId)
      return finishedAt === null ? [] : deliveriesOfGeneration(context, { teamId, generationId, endedAt: new Date(finishedAt) })
    },
  }),
)

builder.objectField(TeamType, 'webhookDeliveries', (t) =>
  t.connection({
    type: WebhookDeliveryType,
    description:
      'The delivery log of the last 30 days, newest event first: callbacks of starts, and up to 300 subscriptions to events and to alerts, the present ones and the latest deleted ones.',
    args: {
      subscriptionId: t.arg.id({ description: 'Only of that subscription.' }),
      callbacks: t.arg.boolean({ description: 'True: only callbacks of starts, like the kind `CALLBACK`.' }),
      kind: t.arg({ type: DeliveryKindEnum, description: 'Only deliveries of that kind.' }),
      ...filterArguments,
    },
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: ({ id: teamId }, { subscriptionId, callbacks, kind, state, event, since, until, ...page }, { context }) =>
      keysetConnection(page, {
        ...byPlace,
        find: (window) =>
          context.history.read(context.sql, (sql) =>
            listTeamDeliveries(
              { sql },
              { teamId, subscriptionId, kind: callbacks ? 'callback' : kind, state, event, since, until },
              window,
            ),
          ),
      }),
  }),
)
