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
  description: `A stream of server-sent events: one named \`generation\` at once, and one at each change of its state, its progress or its place in the queue. The schema is that of the \`data\` of each. The stream ends after the event in which the work has ended, and after ${limits.eventStreamSecondsMax / 60} minutes at most: then ask again. A comment comes every ${limits.eventCommentSeconds} seconds. An open stream is one request in progress.`,
  scope: 'generations:read',
  query: noQuery,
  readsGeneration: true,
  parameters: { id: 'The identifier of the generation.' },
  headers: {
    'Last-Event-ID': {
      description: 'The `id` of the last event that arrived: the first of the new stream is the present state, under the next number.',
      schema: { type: 'string' },
    },
  },
  success: {
    status: 200,
    description: 'How the generation stands, again and again until its end.',
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
