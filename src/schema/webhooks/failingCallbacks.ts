import { type CallbackOrigin, failingOrigins, failingOriginsMax } from '../../domain/webhooks/callbacks/failingOrigins.ts'
import { loadHealth } from '../../domain/webhooks/subscriptions/loadHealth.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { allow } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { WebhookDeliveryStateEnum } from './deliveryEnums.ts'
import { WebhookHealthType } from './webhookHealth.ts'

const CallbackOriginType = builder.objectRef<CallbackOrigin>('CallbackOrigin')

builder.objectType(CallbackOriginType, {
  description: 'A host that receives callbacks of starts.',
  authScopes: { caller: true },
  fields: (t) => ({
    origin: t.exposeString('origin', { description: 'Scheme, name and port.', ...maxFieldBytes(longest.address) }),
    lastDeliveryDay: t.exposeString('lastDeliveryDay', {
      nullable: true,
      description: 'The day in UTC of the last attempt, as YYYY-MM-DD.',
    }),
    lastDeliveryOutcome: t.expose('lastDeliveryOutcome', {
      type: WebhookDeliveryStateEnum,
      nullable: true,
      description: 'The state of the delivery after that attempt: DELIVERED, RETRYING or FAILED.',
    }),
    health: t.loadable({
      type: WebhookHealthType,
      description: 'Its last 24 hours.',
      load: (ids: string[], { context }) => loadHealth(context, ids),
      resolve: ({ id }) => id,
    }),
  }),
})

builder.objectField(TeamType, 'failingCallbacks', (t) =>
  t.field({
    type: [CallbackOriginType],
    description: `The hosts of callbacks whose last attempt, of today or yesterday in UTC, failed; latest first, at most ${failingOriginsMax}.`,
    authScopes: ({ id }) => allow('webhooks.manage', id),
    resolve: ({ id }, _args, { context }) => failingOrigins(context, id),
  }),
)
