import { Refusal } from '../../contract/refusals/refusals.ts'
import { keyRecord } from '../../contract/shapes/keyRecord.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { keyExamples } from './keyExamples.ts'

export const getKey = endpoint({
  method: 'GET',
  path: '/keys/{id}',
  operationId: 'getKey',
  tag: 'Keys',
  summary: 'Get a key',
  description: 'A key of the team, without its value.',
  scope: 'keys:write',
  query: noQuery,
  parameters: { id: 'The identifier of the key.' },
  success: { status: 200, description: 'The key.', schema: keyRecord, examples: keyExamples },
  refusals: ['not_found'],
  source: {
    kind: 'query',
    name: 'apiKey',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
    orRefuse: () => new Refusal('not_found'),
  },
})
