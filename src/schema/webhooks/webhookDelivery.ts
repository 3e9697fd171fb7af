import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { requireObjectOfTeam } from '../../domain/access/keys/managingKey.ts'
import type { Context } from '../../domain/context.ts'
import { escapeReply, refusalText } from '../../domain/webhooks/deliveries/escapeReply.ts'
import { deliveryBodies, findDelivery, type LoggedDelivery } from '../../domain/webhooks/deliveries/findDelivery.ts'
import { loadAttempts } from '../../domain/webhooks/deliveries/listDeliveries.ts'
import { findReceiver } from '../../domain/webhooks/subscriptions/findSubscription.ts'
import type { WebhookAttempt } from '../../entities/WebhookAttempt.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { type AuthScopes, allow } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { AlertSubscriptionType } from './alertSubscription.ts'
import { DeliveryEventEnum, DeliveryKindEnum, WebhookDeliveryStateEnum } from './deliveryEnums.ts'
import { deliveryDocument } from './webhookDocuments.ts'
import { WebhookSubscriptionType } from './webhookSubscription.ts'

type Reply = { refusal: string | null; responseStart: Buffer | null }
const snippetOf = ({ responseStart }: Reply) => escapeReply(responseStart)
const refusalOf = ({ refusal, responseStart }: Reply) => refusalText(refusal, responseStart)
const refusalDescription = 'Why it failed: our reason, then the first bytes of the reply. Null without a failure.'
const snippetDescription = 'The first bytes of the reply, at most 256. Invisible characters are escaped.'

type Payload = { data: { generation: { generationId: string } } }

/** Bodies read at once. Each may have 256 KB. */
const payloadBatchMax = 10

const payloads = createContextCache((request: SchemaContext) => {
  // Batches run one after another. Otherwise all bodies would be in memory before the response size is measured.
  let previous: Promise<unknown> = Promise.resolve()
  const loadSequentially = (ids: readonly string[]) => {
    const read = previous.then(() => readPayloads(request, ids))
    previous = read.catch(() => undefined)
    return read
  }
  return new DataLoader<string, Payload>(loadSequentially, { maxBatchSize: payloadBatchMax })
})

async function readPayloads({ context, answer }: SchemaContext, ids: readonly string[]): Promise<(Payload | Error)[]> {
  await answer?.waitForSlice()
  const bodies = await context.history.read(context.sql, (sql) => deliveryBodies({ sql }, ids))
  const read: (Payload | Error)[] = []
  for (const body of bodies) {
    await answer?.waitForSlice()
    read.push(body ? JSON.parse(body.toString()) : new Refusal('not_found', undefined, { message: 'The delivery was deleted.' }))
  }
  return read
}

const WebhookAttemptType = builder.objectRef<WebhookAttempt>('WebhookAttempt')

builder.objectType(WebhookAttemptType, {
  description: 'One request to the receiver.',
  authScopes: { caller: true },
  fields: (t) => ({
    number: t.exposeInt('number'),
    time: t.expose('begunAt', { type: 'DateTime' }),
    durationSeconds: t.exposeFloat('tookSeconds'),
    responseCode: t.exposeInt('responseCode', { nullable: true, description: 'Null without a response.' }),
    refusalText: t.string({ nullable: true, description: refusalDescription, ...maxFieldBytes(longest.reply), resolve: refusalOf }),
    responseSnippet: t.string({ nullable: true, description: snippetDescription, ...maxFieldBytes(longest.reply), resolve: snippetOf }),
  }),
})

export const WebhookDeliveryType = builder.objectRef<LoggedDelivery>('WebhookDelivery')

builder.objectType(WebhookDeliveryType, {
  description: 'One event or alert for one subscription, or an event for the callback of a start, with all attempts to deliver it.',
  authScopes: { caller: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `id` in the body, the same in every attempt.' }),
    subscription: t.field({
      type: WebhookSubscriptionType,
      nullable: true,
      description: 'Null for a callback and for an alert.',
      resolve: ({ kind, subscriptionId }) => (kind === 'webhook' ? subscriptionId : null),
    }),
    alertSubscription: t.field({
      type: AlertSubscriptionType,
      nullable: true,
      description: 'The subscription of an alert; otherwise null.',
      resolve: ({ kind, subscriptionId }) => (kind === 'alert' ? subscriptionId : null),
    }),
    kind: t.expose('kind', { type: DeliveryKindEnum, description: 'What it belongs to.' }),
    team: t.field({ type: TeamType, resolve: ({ teamId }) => teamId }),
    subscriptionId: t.exposeID('subscriptionId', {
      nullable: true,
      description: 'Null for a callback. That of an alert is the identifier of `alertSubscription`.',
    }),
    address: t.exposeString('address', { description: 'The URL of the receiver.', ...maxFieldBytes(longest.address) }),
    event: t.expose('event', { type: DeliveryEventEnum }),
    eventNumber: t.exposeInt('eventNumber', {
      description: 'Counts the events of the subscription, or of the callbacks to one host, from 1 without gaps.',
    }),
    isTest: t.exposeBoolean('isTest'),
    time: t.expose('createdAt', { type: 'DateTime', description: 'The time of the event.' }),
    state: t.expose('state', { type: WebhookDeliveryStateEnum }),
    attempts: t.exposeInt('attempts', { description: 'The number of attempts, including redeliveries.' }),
    attemptLog: t.loadableGroup({
      type: WebhookAttemptType,
      description: 'All attempts, oldest first.',
      load: (ids: string[], { context }) => context.history.read(context.sql, (sql) => loadAttempts({ sql }, ids)),
      group: ({ deliveryId }) => deliveryId,
      resolve: ({ id }) => id,
    }),
    responseCode: t.exposeInt('responseCode', { nullable: true, description: 'Of the latest attempt; null without a response.' }),
    refusalText: t.string({ nullable: true, description: refusalDescription, ...maxFieldBytes(longest.reply), resolve: refusalOf }),
    responseSnippet: t.string({ nullable: true, description: snippetDescription, ...maxFieldBytes(longest.reply), resolve: snippetOf }),
    nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true, description: 'Null for a closed delivery.' }),
    json: t.field({
      type: 'JSON',
      description: 'The response of GET /deliveries/{id}, without its payload.',
      ...maxFieldBytes(longest.reply * 2),
      resolve: (delivery) => deliveryDocument(delivery),
    }),
    payload: t.field({
      type: 'JSON',
      description: 'The body of the request.',
      ...maxFieldBytes(longest.body),
      resolve: ({ id }, _args, request) => payloads(request).load(id),
    }),
    generationId: t.id({
      nullable: true,
      description: 'The generation of the event. Null for a test event and an alert.',
      resolve: async ({ id, isTest, kind }, _args, request) =>
        isTest || kind === 'alert' ? null : (await payloads(request).load(id)).data.generation.generationId,
    }),
  }),
})

/** The scopes to manage the receiver of that delivery. An unknown delivery permits only internal tools. */
export async function deliveryAdminScopes(context: Context, id: string): Promise<Partial<AuthScopes>> {
  const delivery = await findDelivery(context, id)
  return await receiverAdminScopes(context, delivery?.receiverId ?? '')
}

/** The scopes to manage the deliveries of that subscription, of any kind. An unknown subscription permits only internal tools. */
export async function receiverAdminScopes(context: Context, subscriptionId: string): Promise<Partial<AuthScopes>> {
  const receiver = await findReceiver(context, subscriptionId)
  requireObjectOfTeam(context, receiver?.deletedAt ? null : receiver?.teamId)
  return allow('webhooks.manage', receiver?.teamId)
}

builder.queryField('webhookDelivery', (t) =>
  t.field({
    type: WebhookDeliveryType,
    nullable: true,
    description: 'Null for an unknown or deleted delivery.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, { context }) => deliveryAdminScopes(context, id),
    resolve: (_root, { id }, { context }) => findDelivery(context, id),
  }),
)
