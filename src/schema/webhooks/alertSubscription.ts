import { alertSubscriptionChange, newAlertSubscription } from '../../contract/shapes/alertInputs.ts'
import { secretRotation } from '../../contract/shapes/webhookInputs.ts'
import { requireObjectOfTeam } from '../../domain/access/keys/managingKey.ts'
import type { Context } from '../../domain/context.ts'
import {
  createAlertSubscription,
  deleteAlertSubscription,
  rotateAlertSecret,
  type ShownAlertSecret,
  updateAlertSubscription,
} from '../../domain/webhooks/alerts/changeAlertSubscription.ts'
import {
  findAlertSubscription,
  listAlertSubscriptions,
  loadAlertSubscriptions,
} from '../../domain/webhooks/alerts/findAlertSubscription.ts'
import { alertKinds } from '../../entities/AlertSubscription.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { type AuthScopes, allow } from '../core/scopes.ts'
import { inputTypeOf } from '../core/shapeFields.ts'
import { TeamType } from '../teams/team.ts'
import { WebhookDeliveryStateEnum } from './deliveryEnums.ts'
import { secretOverlapEnd, subscriptionPage } from './subscriptionPage.ts'

/** The scopes to manage that subscription to alerts. An unknown subscription permits only internal tools. */
export async function alertAdminScopes(context: Context, id: string): Promise<Partial<AuthScopes>> {
  const found = await findAlertSubscription(context, id)
  requireObjectOfTeam(context, found?.deletedAt ? null : found?.teamId)
  return allow('webhooks.manage', found?.teamId)
}

export const AlertKindEnum = builder.enumType('AlertKind', {
  description: 'A condition of a team that raises an alert.',
  values: enumValues(alertKinds),
})

export const AlertSubscriptionType = builder.loadableObjectRef('AlertSubscription', {
  load: async (ids: string[], { context }) => orderByKeys(ids, await loadAlertSubscriptions(context, ids), ({ id }) => id),
})

builder.objectType(AlertSubscriptionType, {
  description: 'A receiver of alerts. Its signing secret is shown once, at the creation and at each rotation.',
  authScopes: ({ teamId }) => allow('webhooks.manage', teamId),
  fields: (t) => ({
    id: t.exposeID('id'),
    team: t.field({ type: TeamType, resolve: ({ teamId }) => teamId }),
    address: t.exposeString('address', { description: 'The URL of the receiver.', ...maxFieldBytes(longest.address) }),
    kinds: t.expose('kinds', { type: [AlertKindEnum], description: 'The alerts that it receives.' }),
    paused: t.exposeBoolean('paused', { description: 'While paused, alerts are not recorded and not sent.' }),
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

builder.objectField(TeamType, 'alertSubscriptions', (t) =>
  t.connection({
    type: AlertSubscriptionType,
    description: 'Newest first.',
    authScopes: ({ id }) => allow('webhooks.manage', id),
    args: { withDeleted: t.arg.boolean({ defaultValue: false, description: 'Includes subscriptions deleted in the last 30 days.' }) },
    resolve: ({ id: teamId }, { withDeleted, ...page }, { context }) =>
      subscriptionPage(page, (window) => listAlertSubscriptions(context, { teamId, withDeleted: withDeleted ?? false }, window)),
  }),
)

const CreatedAlertSubscription = alertSecretPayload('CreateAlertSubscriptionPayload')
const RotatedAlertSecret = alertSecretPayload('RotateAlertSecretPayload')

function alertSecretPayload(name: string) {
  return builder.objectRef<ShownAlertSecret>(name).implement({
    authScopes: { caller: true },
    fields: (t) => ({
      subscription: t.expose('subscription', { type: AlertSubscriptionType }),
      signingSecret: t.exposeString('signingSecret', { description: 'It is shown only here.' }),
    }),
  })
}

const CreateInput = inputTypeOf('CreateAlertSubscriptionInput', newAlertSubscription, {
  fields: { teamId: { type: 'ID' }, kinds: { type: [AlertKindEnum], description: 'The alerts to send, each once.' } },
})
const UpdateInput = inputTypeOf('UpdateAlertSubscriptionInput', alertSubscriptionChange, {
  fields: {
    id: { type: 'ID' },
    kinds: { type: [AlertKindEnum], description: 'Replaces all kinds.' },
    paused: { description: 'Pauses or resumes it.' },
  },
})
const RotateInput = inputTypeOf('RotateAlertSecretInput', secretRotation, { fields: { id: { type: 'ID' } } })
const DeleteInput = builder.inputType('DeleteAlertSubscriptionInput', { fields: (t) => ({ id: t.id({ required: true }) }) })

builder.mutationFields((t) => ({
  createAlertSubscription: t.field({
    type: CreatedAlertSubscription,
    description: 'Subscribes an address to alerts about a team.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    authScopes: (_root, { input }) => allow('webhooks.manage', input.teamId),
    resolve: (_root, { input }, { context }) => createAlertSubscription(context, input),
  }),
  updateAlertSubscription: t.field({
    type: AlertSubscriptionType,
    description: 'Changes the kinds of alerts, pauses or resumes.',
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    authScopes: (_root, { input }, { context }) => alertAdminScopes(context, input.id),
    resolve: (_root, { input }, { context }) => updateAlertSubscription(context, input),
  }),
  deleteAlertSubscription: t.boolean({
    description: 'False when it was deleted before.',
    args: { input: t.arg({ type: DeleteInput, required: true }) },
    authScopes: (_root, { input }, { context }) => alertAdminScopes(context, input.id),
    resolve: (_root, { input }, { context }) => deleteAlertSubscription(context, input.id),
  }),
  rotateAlertSecret: t.field({
    type: RotatedAlertSecret,
    description: 'Replaces the signing secret. With an overlap, both secrets sign for that time.',
    args: { input: t.arg({ type: RotateInput, required: true }) },
    authScopes: (_root, { input }, { context }) => alertAdminScopes(context, input.id),
    resolve: (_root, { input }, { context }) => rotateAlertSecret(context, input),
  }),
}))
