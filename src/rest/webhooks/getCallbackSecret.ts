import { callbackSecretRecord } from '../../contract/shapes/callback.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { callbackSecretExamples } from './webhookExamples.ts'

export const getCallbackSecret = endpoint({
  method: 'GET',
  path: '/callback-secret',
  operationId: 'getCallbackSecret',
  tag: 'Webhooks',
  summary: 'Get the secret of callbacks',
  description: 'The secret that signs the callbacks of starts of the team. The first request makes it.',
  scope: 'webhooks:write',
  query: noQuery,
  success: { status: 200, description: 'The secret.', schema: callbackSecretRecord, examples: callbackSecretExamples },
  refusals: [],
  source: { kind: 'query', name: 'callbackSecret', variables: () => ({}) },
})
