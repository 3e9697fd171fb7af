import { noBody, noQuery } from '../../contract/shapes/queries.ts'
import { deliveryRecord } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { deliveryExamples } from './webhookExamples.ts'

export const sendTestEvent = endpoint({
  method: 'POST',
  path: '/webhooks/{id}/test',
  operationId: 'sendTestEvent',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: `A \`generation.completed\` with sample data and the header \`X-Atelier-Test\`; 10 per minute.`,
  scope: 'webhooks:write',
  query: noQuery,
  body: { schema: noBody, optional: true },
  parameters: { id: 'The identifier of the webhook.' },
  success: { status: 201, description: 'The delivery of the event.', schema: deliveryRecord, examples: deliveryExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'not_found'],
  source: {
    kind: 'mutation',
    name: 'sendTestEvent',
    variables: ({ parameters }) => ({ input: { subscriptionId: parameters['id'] } }),
  },
})
