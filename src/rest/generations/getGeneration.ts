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
    'The state of a generation, with its result or error after the end. With `wait` the response is delayed until the generation ends or the time is over.',
  scope: 'generations:read',
  query: waitQuery,
  readsGeneration: true,
  parameters: { id: 'The identifier of the generation.' },
  success: {
    status: 200,
    description: 'The generation, also a failed one.',
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
