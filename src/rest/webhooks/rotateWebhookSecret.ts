import { noQuery } from '../../contract/shapes/queries.ts'
import { secretRotationBody } from '../../contract/shapes/webhookInputs.ts'
import { webhookWithSecret } from '../../contract/shapes/webhookRecord.ts'
import { endpoint } from '../endpoint.ts'
import { overlapExamples } from '../keys/keyExamples.ts'
import { webhookWithSecretExamples } from './webhookExamples.ts'

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  tag: 'Webhooks',
  summary: 'Give a webhook a new secret',
  description: `With an overlap, the present secret also signs for that time. The new secret is returned once.`,
  scope: 'webhooks:write',
  query: noQuery,
  body: { schema: secretRotationBody, optional: true, examples: overlapExamples },
  parameters: { id: 'The identifier of the webhook.' },
  success: { status: 200, description: 'The webhook and its new secret.', schema: webhookWithSecret, examples: webhookWithSecretExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'not_found'],
  source: {
    kind: 'mutation',
    name: 'rotateWebhookSecret',
    variables: ({ parameters, body }) => ({ input: { ...body, id: parameters['id'] } }),
  },
})
