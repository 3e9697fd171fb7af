import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

export const deleteResult = endpoint({
  method: 'DELETE',
  path: '/generations/{id}/result',
  operationId: 'deleteResult',
  tag: 'Generations',
  summary: 'Delete a result',
  description:
    'Deletes the result, and every link to it stops working at once. The generation stays in the history; its `result` keeps `type` and `deletedAt`. A repeat succeeds, also for a generation without a result. Returns `file_not_ready` while the generation is open, and while an open generation uses the result as an input.',
  scope: 'generations:write',
  query: noQuery,
  parameters: { id: 'The identifier of the generation.' },
  success: { status: 204, description: 'The result is deleted.' },
  refusals: ['generation_not_found', 'file_not_ready'],
  source: {
    kind: 'mutation',
    name: 'deleteResult',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
