import { limits } from '../../contract/limits.ts'
import { generation } from '../../contract/shapes/generation.ts'
import { historyQuery, listOf } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { historyExamples } from './generationExamples.ts'

export const listGenerations = endpoint({
  method: 'GET',
  path: '/generations',
  operationId: 'listGenerations',
  tag: 'Generations',
  summary: 'List the history',
  description: 'Newest first, from all interfaces. Generations that start during paging do not shift the pages.',
  scope: 'generations:read',
  query: historyQuery,
  queryObjects: ['metadata'],
  success: { status: 200, description: 'A page of the history.', schema: listOf(generation, 'GenerationList'), examples: historyExamples },
  refusals: ['invalid_cursor'],
  source: {
    kind: 'query',
    name: 'history',
    variables: ({ query: { limit = limits.historyPageItems, ...query } }) => ({ ...query, limit }),
  },
})
