import { limits } from '../../contract/limits.ts'
import { generation } from '../../contract/shapes/generation.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { generationExamples } from './generationExamples.ts'

export const followGeneration = endpoint({
  method: 'GET',
  path: '/generations/{id}/events',
  operationId: 'followGeneration',
  tag: 'Generations',
  summary: 'Follow a generation',
  description: `A stream of server-sent events named \`generation\`: one at once, and one at each change of state, progress or queue position. The schema is that of the \`data\` of each event. The stream ends after the event with a final state, or after ${limits.eventStreamSecondsMax / 60} minutes: then connect again. The service sends a comment every ${limits.eventCommentSeconds} seconds. An open stream counts as one request in progress.`,
  scope: 'generations:read',
  query: noQuery,
  readsGeneration: true,
  parameters: { id: 'The identifier of the generation.' },
  headers: {
    'Last-Event-ID': {
      description: 'The `id` of the last received event. The new stream begins with the present state, under the next number.',
      schema: { type: 'string' },
    },
  },
  success: {
    status: 200,
    description: 'The generation after each change, until its end.',
    schema: generation,
    examples: generationExamples,
  },
  refusals: ['generation_not_found'],
  source: {
    kind: 'subscription',
    name: 'generationChanges',
    event: 'generation',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
