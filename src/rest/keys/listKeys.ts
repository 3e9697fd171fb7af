import { keyList, keyListQuery } from '../../contract/shapes/keyRecord.ts'
import { endpoint } from '../endpoint.ts'
import { keyListExamples } from './keyExamples.ts'

export const listKeys = endpoint({
  method: 'GET',
  path: '/keys',
  operationId: 'listKeys',
  tag: 'Keys',
  summary: 'List the keys of the team',
  description: 'Newest first, including revoked keys.',
  scope: 'keys:write',
  query: keyListQuery,
  success: { status: 200, description: 'A page of keys.', schema: keyList, examples: keyListExamples },
  refusals: ['invalid_cursor'],
  source: {
    kind: 'query',
    name: 'apiKeyList',
    variables: ({ query: { state, ...query } }) => ({ ...query, state: state?.toUpperCase() }),
  },
})
