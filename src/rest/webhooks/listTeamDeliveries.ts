import { enumName } from '../../contract/enumName.ts'
import { deliveryList, teamDeliveryListQuery } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { deliveryListExamples } from './webhookExamples.ts'

export const listTeamDeliveries = endpoint({
  method: 'GET',
  path: '/deliveries',
  operationId: 'listTeamDeliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a team',
  description:
    'The log of the last 30 days, newest event first: callbacks of starts, and up to 300 webhooks and subscriptions to alerts, the present ones and the latest deleted ones.',
  scope: 'webhooks:write',
  query: teamDeliveryListQuery,
  success: { status: 200, description: 'A page of deliveries.', schema: deliveryList, examples: deliveryListExamples },
  refusals: ['invalid_cursor'],
  source: {
    kind: 'query',
    name: 'teamDeliveryList',
    variables: ({ query: { state, event, callbacks, kind, ...query } }) => ({
      ...query,
      callbacks: callbacks === 'true',
      kind: kind && enumName(kind),
      state: state && enumName(state),
      event: event && enumName(event),
    }),
  },
})
