import { webhookDeliveryStates } from '../../entities/WebhookDelivery.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'

export const WebhookDeliveryStateEnum = builder.enumType('WebhookDeliveryState', {
  description: 'PENDING has no attempt yet, RETRYING gets another attempt, DELIVERED and FAILED are closed.',
  values: enumValues(webhookDeliveryStates),
})
