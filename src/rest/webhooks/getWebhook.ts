import { Refusal } from '../../contract/refusals/refusals.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { webhookRecord } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { webhookExamples } from './webhookExamples.ts'

export const getWebhook = endpoint({
  method: 'GET',
  path: '/webhooks/{id}',
  operationId: 'getWebhook',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  description: `A webhook of the team, without its secret.`,
  scope: 'webhooks:write',
  query: noQuery,
  parameters: { id: 'The identifier of the webhook.' },
  success: { status: 200, description: 'The webhook.', schema: webhookRecord, examples: webhookExamples },
  refusals: ['not_found'],
  source: {
    kind: 'query',
    name: 'webhookSubscription',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
    orRefuse: () => new Refusal('not_found'),
  },
})
