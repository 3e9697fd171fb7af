import { noQuery } from '../../contract/shapes/queries.ts'
import { cancelBody, cancelledGeneration } from '../../contract/shapes/startedGeneration.ts'
import { endpoint } from '../endpoint.ts'
import { cancelExamples } from './generationExamples.ts'

export const cancelGeneration = endpoint({
  method: 'POST',
  path: '/generations/{id}/cancel',
  operationId: 'cancelGeneration',
  tag: 'Generations',
  summary: 'Cancel a generation',
  description:
    'Before the work begins, the whole hold is returned; work that has begun is charged. An ended generation is returned unchanged, with `cancelled: false`.',
  scope: 'generations:write',
  query: noQuery,
  body: { schema: cancelBody, optional: true },
  parameters: { id: 'The identifier of the generation.' },
  success: { status: 200, description: 'The state of the generation.', schema: cancelledGeneration, examples: cancelExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'generation_not_found', 'cancel_conflict', 'not_cancellable'],
  source: {
    kind: 'mutation',
    name: 'cancelGeneration',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
