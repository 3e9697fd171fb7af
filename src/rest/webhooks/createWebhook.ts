import { enumName } from '../../contract/enumName.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { newWebhookBody } from '../../contract/shapes/webhookInputs.ts'
import { webhookWithSecret } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { newWebhookExamples, webhookWithSecretExamples } from './webhookExamples.ts'

export const createWebhook = endpoint({
  method: 'POST',
  path: '/webhooks',
  operationId: 'createWebhook',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description: `The receiver gets the events of all generations of the team, with prompts and result links. The signing secret is returned once.`,
  scope: 'webhooks:write',
  query: noQuery,
  body: { schema: newWebhookBody, examples: newWebhookExamples },
  success: { status: 201, description: 'The webhook and its secret.', schema: webhookWithSecret, examples: webhookWithSecretExamples },
  refusals: ['unsupported_content_type', 'payload_too_large'],
  source: {
    kind: 'mutation',
    name: 'createWebhookSubscription',
    variables: ({ actor: { teamId }, body }) => ({ input: { ...body, teamId, events: body.events.map(enumName) } }),
  },
})
