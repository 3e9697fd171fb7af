import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/keys/{id}',
  operationId: 'revokeKey',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'Ends the key and its result links at once. Generations that it started continue. A repeat changes nothing. `access_denied` for a key with more rights than the asking key.',
  scope: 'keys:write',
  query: noQuery,
  parameters: { id: 'The identifier of the key.' },
  success: { status: 204, description: 'The key is revoked.' },
  refusals: ['not_found'],
  source: { kind: 'mutation', name: 'revokeApiKey', variables: ({ parameters }) => ({ input: { id: parameters['id'] } }) },
})
