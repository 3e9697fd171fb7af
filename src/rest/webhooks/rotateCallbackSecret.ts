import { callbackSecretRecord } from '../../contract/shapes/callback.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { secretRotationBody } from '../../contract/shapes/webhookInputs.ts'
import { endpoint } from '../endpoint.ts'
import { overlapExamples } from '../keys/keyExamples.ts'
import { callbackSecretExamples } from './webhookExamples.ts'

export const rotateCallbackSecret = endpoint({
  method: 'POST',
  path: '/callback-secret/rotate',
  operationId: 'rotateCallbackSecret',
  tag: 'Webhooks',
  summary: 'Give callbacks a new secret',
  description: 'With an overlap, the present secret also signs for that time.',
  scope: 'webhooks:write',
  query: noQuery,
  body: { schema: secretRotationBody, optional: true, examples: overlapExamples },
  success: { status: 200, description: 'The new secret.', schema: callbackSecretRecord, examples: callbackSecretExamples },
  refusals: ['unsupported_content_type', 'payload_too_large'],
  source: {
    kind: 'mutation',
    name: 'rotateCallbackSecret',
    variables: ({ actor: { teamId }, body }) => ({ input: { ...body, teamId } }),
  },
})
