import { deliveryEvents, deliveryKinds, webhookDeliveryStates } from '../../entities/WebhookDelivery.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'

export const WebhookDeliveryStateEnum = builder.enumType('WebhookDeliveryState', {
  description: 'PENDING has no attempt yet, RETRYING gets another attempt, DELIVERED and FAILED are closed.',
  values: enumValues(webhookDeliveryStates),
})

export const DeliveryKindEnum = builder.enumType('DeliveryKind', {
  description: 'What a delivery belongs to: a webhook, the callback of a start, or a subscription to alerts.',
  values: enumValues(deliveryKinds),
})

export const DeliveryEventEnum = builder.enumType('DeliveryEvent', {
  description: 'What a delivery notifies of: a way in which a generation ends, or an alert.',
  values: enumValues(deliveryEvents),
})
