import { file } from '../../contract/shapes/file.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { fileExamples } from './fileExamples.ts'

export const getFile = endpoint({
  method: 'GET',
  path: '/files/{id}',
  operationId: 'getFile',
  tag: 'Files',
  summary: 'Get a file',
  description: 'The state and measurements of a file. A processing file becomes `ready`, or `failed` with an `error`.',
  scope: 'files:write',
  query: noQuery,
  parameters: { id: 'The identifier of the file.' },
  success: { status: 200, description: 'The file.', schema: file, examples: fileExamples },
  refusals: ['file_not_found'],
  source: {
    kind: 'query',
    name: 'file',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
