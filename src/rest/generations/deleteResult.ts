import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

export const deleteResult = endpoint({
  method: 'DELETE',
  path: '/generations/{id}/result',
  operationId: 'deleteResult',
  tag: 'Generations',
  summary: 'Delete a result',
  description:
    'What the generation has made is removed, and every link to it is dead at once. The generation stays in the history; of its `result` the `type` and `deletedAt` remain. May be repeated, and is right for a generation that ended without a result. `file_not_ready` while the work has not ended, and while other work that has not ended has the result as an input.',
  scope: 'generations:write',
  query: noQuery,
  parameters: { id: 'The identifier of the generation.' },
  success: { status: 204, description: 'There is no result any more.' },
  refusals: ['generation_not_found', 'file_not_ready'],
  source: {
    kind: 'mutation',
    name: 'deleteResult',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
