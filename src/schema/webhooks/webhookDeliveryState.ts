import { webhookDeliveryStates } from '../../entities/WebhookDelivery.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'

export const WebhookDeliveryStateEnum = builder.enumType('WebhookDeliveryState', {
  description: 'PENDING has not been tried yet, RETRYING will be tried again, DELIVERED and FAILED are closed.',
  values: enumValues(webhookDeliveryStates),
})
