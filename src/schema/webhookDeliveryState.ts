import { webhookDeliveryStates } from '../entities/WebhookDelivery.ts'
import { builder } from './builder.ts'
import { enumValues } from './enumValues.ts'

export const WebhookDeliveryStateEnum = builder.enumType('WebhookDeliveryState', {
  description: 'PENDING has not been tried yet, RETRYING will be tried again, DELIVERED and FAILED are closed.',
  values: enumValues(webhookDeliveryStates),
})
