import { webhookList, webhookListQuery } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { webhookListExamples } from './webhookExamples.ts'

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  summary: 'List the webhooks of the team',
  description: `Newest first.`,
  scope: 'webhooks:write',
  query: webhookListQuery,
  success: { status: 200, description: 'A page of webhooks.', schema: webhookList, examples: webhookListExamples },
  refusals: ['invalid_cursor'],
  source: { kind: 'query', name: 'webhookSubscriptionList', variables: ({ query }) => ({ ...query }) },
})
