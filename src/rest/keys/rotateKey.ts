import { keyRotationBody } from '../../contract/shapes/keyInputs.ts'
import { keyWithValue } from '../../contract/shapes/keyRecord.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { keyWithValueExamples, overlapExamples } from './keyExamples.ts'

export const rotateKey = endpoint({
  method: 'POST',
  path: '/keys/{id}/rotate',
  operationId: 'rotateKey',
  tag: 'Keys',
  summary: 'Give a key a new value',
  description:
    'The present value works for `overlapHours` more. `access_denied` for a key with more rights than the asking key, and for a key with the scope `mcp` of another person.',
  scope: 'keys:write',
  query: noQuery,
  body: { schema: keyRotationBody, optional: true, examples: overlapExamples },
  parameters: { id: 'The identifier of the key.' },
  success: { status: 200, description: 'The key and its new value.', schema: keyWithValue, examples: keyWithValueExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'not_found'],
  source: {
    kind: 'mutation',
    name: 'rotateApiKey',
    variables: ({ parameters, body }) => ({ input: { ...body, id: parameters['id'] } }),
  },
})
