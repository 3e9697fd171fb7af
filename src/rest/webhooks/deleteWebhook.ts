import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/webhooks/{id}',
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: `Nothing more is recorded or sent.`,
  scope: 'webhooks:write',
  query: noQuery,
  parameters: { id: 'The identifier of the webhook.' },
  success: { status: 204, description: 'The webhook is deleted.' },
  refusals: ['not_found'],
  source: { kind: 'mutation', name: 'deleteWebhookSubscription', variables: ({ parameters }) => ({ input: { id: parameters['id'] } }) },
})
