import { enumName } from '../../contract/enumName.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { webhookChangeBody } from '../../contract/shapes/webhookInputs.ts'
import { webhookRecord } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { webhookChangeExamples, webhookExamples } from './webhookExamples.ts'

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/webhooks/{id}',
  operationId: 'updateWebhook',
  tag: 'Webhooks',
  summary: 'Change, pause or resume a webhook',
  description: `Changes the given settings. Events during a pause are not recorded.`,
  scope: 'webhooks:write',
  query: noQuery,
  body: { schema: webhookChangeBody, examples: webhookChangeExamples },
  parameters: { id: 'The identifier of the webhook.' },
  success: { status: 200, description: 'The changed webhook.', schema: webhookRecord, examples: webhookExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'not_found'],
  source: {
    kind: 'mutation',
    name: 'updateWebhookSubscription',
    variables: ({ parameters, body }) => ({ input: { ...body, id: parameters['id'], events: body.events?.map(enumName) } }),
  },
})
