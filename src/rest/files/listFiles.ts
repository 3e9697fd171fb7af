import { limits } from '../../contract/limits.ts'
import { file, filesQuery } from '../../contract/shapes/file.ts'
import { listOf } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { fileListExamples } from './fileExamples.ts'

export const listFiles = endpoint({
  method: 'GET',
  path: '/files',
  operationId: 'listFiles',
  tag: 'Files',
  summary: 'List files',
  description: 'The files of the team, newest first, until they expire. `GET /account` has the quota of unused files.',
  scope: 'files:write',
  query: filesQuery,
  success: { status: 200, description: 'A page of files.', schema: listOf(file, 'FileList'), examples: fileListExamples },
  refusals: ['invalid_cursor'],
  source: {
    kind: 'query',
    name: 'files',
    variables: ({ query: { limit = limits.historyPageItems, unused, ...query } }) => ({ ...query, limit, unused: unused === 'true' }),
  },
})
