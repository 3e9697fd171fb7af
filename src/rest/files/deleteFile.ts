import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/files/{id}',
  operationId: 'deleteFile',
  tag: 'Files',
  summary: 'Delete a file',
  description:
    'Deletes the file and its content. Generations that used it stay unchanged. Returns `file_not_ready` while an open generation uses it.',
  scope: 'files:write',
  query: noQuery,
  parameters: { id: 'The identifier of the file.' },
  success: { status: 204, description: 'The file is deleted.' },
  refusals: ['file_not_found', 'file_not_ready'],
  source: {
    kind: 'mutation',
    name: 'deleteFile',
    variables: ({ parameters }) => ({ id: parameters['id'] }),
  },
})
