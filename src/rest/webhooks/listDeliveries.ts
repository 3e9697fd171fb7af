import { enumName } from '../../contract/enumName.ts'
import { deliveryList, deliveryListQuery } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { deliveryListExamples } from './webhookExamples.ts'

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  operationId: 'listDeliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a webhook',
  description: `The log of the last 30 days, newest event first.`,
  scope: 'webhooks:write',
  query: deliveryListQuery,
  parameters: { id: 'The identifier of the webhook.' },
  success: { status: 200, description: 'A page of deliveries.', schema: deliveryList, examples: deliveryListExamples },
  refusals: ['invalid_cursor', 'not_found'],
  source: {
    kind: 'query',
    name: 'webhookDeliveryList',
    variables: ({ parameters, query: { state, event, ...query } }) => ({
      ...query,
      subscriptionId: parameters['id'],
      state: state && enumName(state),
      event: event && enumName(event),
    }),
  },
})
