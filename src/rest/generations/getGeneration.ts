import { generation } from '../../contract/shapes/generation.ts'
import { waitQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { generationExamples } from './generationExamples.ts'

export const getGeneration = endpoint({
  method: 'GET',
  path: '/generations/{id}',
  operationId: 'getGeneration',
  tag: 'Generations',
  summary: 'Get a generation',
  description:
    'Its state, and its result or its error once it has ended. With `wait` the answer is held until the work ends or the time has passed.',
  scope: 'generations:read',
  query: waitQuery,
  readsGeneration: true,
  parameters: { id: 'The identifier of the generation.' },
  success: {
    status: 200,
    description: 'The generation; a failed one is a success of this request.',
    schema: generation,
    examples: generationExamples,
  },
  refusals: ['generation_not_found'],
  source: {
    kind: 'query',
    name: 'generation',
    variables: ({ parameters, query }) => ({ id: parameters['id'], waitSeconds: query.wait ?? 0 }),
  },
})
