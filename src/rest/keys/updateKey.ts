import { keyChangeBody } from '../../contract/shapes/keyInputs.ts'
import { keyRecord } from '../../contract/shapes/keyRecord.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { keyChangeExamples, keyExamples } from './keyExamples.ts'

export const updateKey = endpoint({
  method: 'PATCH',
  path: '/keys/{id}',
  operationId: 'updateKey',
  tag: 'Keys',
  summary: 'Change a key',
  description:
    'Changes the given settings; null removes a ceiling or the end. `access_denied` when the key has more rights than the asking key, before or after the change. The scopes of a key never change.',
  scope: 'keys:write',
  query: noQuery,
  body: { schema: keyChangeBody, examples: keyChangeExamples },
  parameters: { id: 'The identifier of the key.' },
  success: { status: 200, description: 'The changed key.', schema: keyRecord, examples: keyExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'not_found'],
  source: {
    kind: 'mutation',
    name: 'updateApiKey',
    variables: ({ parameters, body }) => ({ input: { ...body, id: parameters['id'] } }),
  },
})
