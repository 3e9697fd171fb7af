import { noBody, noQuery } from '../../contract/shapes/queries.ts'
import { deliveryRecord } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { deliveryExamples } from './webhookExamples.ts'

export const redeliver = endpoint({
  method: 'POST',
  path: '/deliveries/{id}/redeliver',
  operationId: 'redeliver',
  tag: 'Webhooks',
  summary: 'Send an event again',
  description: `Sends the same body with the same identifier, in every state of the delivery, with all retries.`,
  scope: 'webhooks:write',
  query: noQuery,
  body: { schema: noBody, optional: true },
  parameters: { id: 'The identifier of the delivery.' },
  success: { status: 200, description: 'The delivery.', schema: deliveryRecord, examples: deliveryExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'not_found'],
  source: {
    kind: 'mutation',
    name: 'redeliver',
    variables: ({ parameters }) => ({ input: { deliveryId: parameters['id'] } }),
  },
})
