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
    'Before the work has begun, all that was held comes back; begun work is paid. An ended generation is told as it stands, with `cancelled: false`.',
  scope: 'generations:write',
  query: noQuery,
  body: { schema: cancelBody, optional: true },
  parameters: { id: 'The identifier of the generation.' },
  success: { status: 200, description: 'How the generation stands now.', schema: cancelledGeneration, examples: cancelExamples },
  refusals: ['unsupported_content_type', 'payload_too_large', 'generation_not_found', 'cancel_conflict', 'not_cancellable'],
  source: {
    kind: 'mutation',
    name: 'cancelGeneration',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
