import { enumName } from '../../contract/enumName.ts'
import { newKeyBody } from '../../contract/shapes/keyInputs.ts'
import { keyWithValue } from '../../contract/shapes/keyRecord.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { keyWithValueExamples, newKeyExamples } from './keyExamples.ts'

export const issueKey = endpoint({
  method: 'POST',
  path: '/keys',
  operationId: 'issueKey',
  tag: 'Keys',
  summary: 'Issue a key',
  description:
    'The new key acts for the person who issued the asking key. It has no scope, no higher ceiling and no later end than the asking key; otherwise `access_denied`. Its value is returned once. A repeat issues another key.',
  scope: 'keys:write',
  query: noQuery,
  body: { schema: newKeyBody, examples: newKeyExamples },
  success: { status: 201, description: 'The key and its value.', schema: keyWithValue, examples: keyWithValueExamples },
  refusals: ['unsupported_content_type', 'payload_too_large'],
  source: {
    kind: 'mutation',
    name: 'issueApiKey',
    variables: ({ actor: { teamId }, body: { scopes, ...body } }) => ({ input: { ...body, teamId, scopes: scopes.map(enumName) } }),
  },
})
