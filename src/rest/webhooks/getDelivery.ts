import { Refusal } from '../../contract/refusals/refusals.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { deliveryRecord } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { deliveryExamples } from './webhookExamples.ts'

export const getDelivery = endpoint({
  method: 'GET',
  path: '/deliveries/{id}',
  operationId: 'getDelivery',
  tag: 'Webhooks',
  summary: 'Get a delivery',
  description: `One row of the log.`,
  scope: 'webhooks:write',
  query: noQuery,
  parameters: { id: 'The identifier of the delivery.' },
  success: { status: 200, description: 'The delivery.', schema: deliveryRecord, examples: deliveryExamples },
  refusals: ['not_found'],
  source: {
    kind: 'query',
    name: 'webhookDelivery',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
    orRefuse: () => new Refusal('not_found'),
  },
})
