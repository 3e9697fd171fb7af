import { newSubscription, secretRotation, subscriptionChange } from '../../contract/shapes/webhookInputs.ts'
import { requireObjectOfTeam } from '../../domain/access/keys/managingKey.ts'
import type { Context } from '../../domain/context.ts'
import { createSubscription, type ShownSecret } from '../../domain/webhooks/subscriptions/createSubscription.ts'
import { deleteSubscription } from '../../domain/webhooks/subscriptions/deleteSubscription.ts'
import { failingWebhooksMax, findFailingWebhooks } from '../../domain/webhooks/subscriptions/findFailingWebhooks.ts'
import { findSubscription, isPaused, listSubscriptions, loadSubscriptions } from '../../domain/webhooks/subscriptions/findSubscription.ts'
import { rotateSecret } from '../../domain/webhooks/subscriptions/rotateSecret.ts'
import { updateSubscription } from '../../domain/webhooks/subscriptions/updateSubscription.ts'
import { webhookEvents } from '../../entities/WebhookSubscription.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { type AuthScopes, allow } from '../core/scopes.ts'
import { inputTypeOf } from '../core/shapeFields.ts'
import { TeamType } from '../teams/team.ts'
import { WebhookDeliveryStateEnum } from './deliveryEnums.ts'
import { secretOverlapEnd, subscriptionPage } from './subscriptionPage.ts'
import { webhookDocument } from './webhookDocuments.ts'

/**
 * The scopes to manage the subscription with that identifier. An unknown subscription permits only internal tools. Refusals: not_found for
 * a key that asks for a subscription of another team, or a deleted one.
 */
export async function subscriptionAdminScopes(context: Context, id: string): Promise<Partial<AuthScopes>> {
  const found = await findSubscription(context, id)
  requireObjectOfTeam(context, found?.deletedAt ? null : found?.teamId)
  return allow('webhooks.manage', found?.teamId)
}

export const WebhookEventEnum = builder.enumType('WebhookEvent', {
  description: 'The type of an event: a way in which a generation ends.',
  values: enumValues(webhookEvents),
})

export const WebhookSubscriptionType = builder.loadableObjectRef('WebhookSubscription', {
  load: async (ids: string[], { context }) => orderByKeys(ids, await loadSubscriptions(context, ids), ({ id }) => id),
})

builder.objectType(WebhookSubscriptionType, {
  description: 'A receiver of events. Its signing secret is shown once, at the creation.',
  authScopes: ({ teamId }) => allow('webhooks.manage', teamId),
  fields: (t) => ({
    id: t.exposeID('id'),
    team: t.field({ type: TeamType, resolve: ({ teamId }) => teamId }),
    address: t.exposeString('address', {
      description: 'The URL of the receiver. It also names the subscription.',
      ...maxFieldBytes(longest.address),
    }),
    events: t.expose('events', { type: [WebhookEventEnum] }),
    json: t.field({
      type: 'JSON',
      description: 'The response of GET /webhooks/{id}.',
      ...maxFieldBytes(longest.smallJson),
      resolve: (subscription, _args, { context }) => webhookDocument(subscription, context.clock.now()),
    }),
    paused: t.boolean({
      description: 'While paused, events are not recorded and not sent. While autoPausedAt is set, they are recorded as failed deliveries.',
      resolve: isPaused,
    }),
    autoPausedAt: t.expose('autoPausedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was paused because every attempt had failed for days. Resume it, then send the failed deliveries again.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime', nullable: true, description: 'Its log is readable until its entries expire.' }),
    secretOverlapEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until then requests are also signed with the previous secret.',
      resolve: (subscription, _args, { context }) => secretOverlapEnd(subscription, context.clock.now()),
    }),
    lastDeliveryDay: t.exposeString('lastDeliveryDay', {
      nullable: true,
      description: 'The day in UTC of the last attempt, as YYYY-MM-DD.',
    }),
    lastDeliveryOutcome: t.expose('lastDeliveryOutcome', {
      type: WebhookDeliveryStateEnum,
      nullable: true,
      description: 'The state of the delivery after that attempt: DELIVERED, RETRYING or FAILED.',
    }),
  }),
})

builder.objectField(TeamType, 'webhookSubscriptions', (t) =>
  t.connection({
    type: WebhookSubscriptionType,
    description: 'Newest first.',
    args: {
      withDeleted: t.arg.boolean({ defaultValue: false, description: 'Includes subscriptions deleted in the last 30 days.' }),
      search: t.arg.string({ description: 'A part of the address, case-insensitive.' }),
    },
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: ({ id: teamId }, { withDeleted, search, ...page }, { context }) =>
      subscriptionPage(page, (window) => listSubscriptions(context, { teamId, withDeleted: withDeleted ?? false, search }, window)),
  }),
)

builder.objectField(TeamType, 'failingWebhooks', (t) =>
  t.field({
    type: [WebhookSubscriptionType],
    description: `Webhooks whose last delivery failed or is retried, with a failed attempt within 24 hours, and webhooks with autoPausedAt. Newest first, at most ${failingWebhooksMax}.`,
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: ({ id }, _args, { context }) => findFailingWebhooks(context, id),
  }),
)

builder.queryField('webhookSubscription', (t) =>
  t.field({
    type: WebhookSubscriptionType,
    nullable: true,
    description: 'Also finds a subscription deleted in the last 30 days.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, { context }) => subscriptionAdminScopes(context, id),
    resolve: (_root, { id }, { context }) => findSubscription(context, id),
  }),
)

const CreatedSubscription = signingSecretPayload('CreateWebhookSubscriptionPayload')
const RotatedSecret = signingSecretPayload('RotateWebhookSecretPayload')

function signingSecretPayload(name: string) {
  return builder.objectRef<ShownSecret>(name).implement({
    authScopes: { caller: true },
    fields: (t) => ({
      subscription: t.expose('subscription', { type: WebhookSubscriptionType }),
      signingSecret: t.exposeString('signingSecret', { description: 'It is shown only here.' }),
      json: t.field({
        type: 'JSON',
        description: 'The response of REST.',
        ...maxFieldBytes(longest.smallJson),
        resolve: ({ subscription, signingSecret }, _args, { context }) => ({
          subscription: webhookDocument(subscription, context.clock.now()),
          signingSecret,
        }),
      }),
    }),
  })
}

const CreateInput = inputTypeOf('CreateWebhookSubscriptionInput', newSubscription, {
  fields: { teamId: { type: 'ID' }, events: { type: [WebhookEventEnum] } },
})
const UpdateInput = inputTypeOf('UpdateWebhookSubscriptionInput', subscriptionChange, {
  fields: { id: { type: 'ID' }, events: { type: [WebhookEventEnum] } },
})
const DeleteInput = builder.inputType('DeleteWebhookSubscriptionInput', { fields: (t) => ({ id: t.id({ required: true }) }) })
const RotateInput = inputTypeOf('RotateWebhookSecretInput', secretRotation, { fields: { id: { type: 'ID' } } })

builder.mutationFields((t) => ({
  createWebhookSubscription: t.field({
    type: CreatedSubscription,
    args: { input: t.arg({ type: CreateInput, required: true }) },
    authScopes: (_root, { input }) => allow('webhooks.manage', input.teamId),
    resolve: (_root, { input }, { context }) => createSubscription(context, input),
  }),
  updateWebhookSubscription: t.field({
    type: WebhookSubscriptionType,
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    authScopes: (_root, { input }, { context }) => subscriptionAdminScopes(context, input.id),
    resolve: (_root, { input }, { context }) => updateSubscription(context, input),
  }),
  deleteWebhookSubscription: t.boolean({
    description: 'False when it was deleted before.',
    args: { input: t.arg({ type: DeleteInput, required: true }) },
    authScopes: (_root, { input }, { context }) => subscriptionAdminScopes(context, input.id),
    resolve: (_root, { input }, { context }) => deleteSubscription(context, input.id),
  }),
  rotateWebhookSecret: t.field({
    type: RotatedSecret,
    args: { input: t.arg({ type: RotateInput, required: true }) },
    authScopes: (_root, { input }, { context }) => subscriptionAdminScopes(context, input.id),
    resolve: (_root, { input }, { context }) => rotateSecret(context, input),
  }),
}))
