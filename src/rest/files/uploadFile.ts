import { file, fileForm, fileRequest } from '../../contract/shapes/file.ts'
import { noQuery } from '../../contract/shapes/queries.ts'
import { endpoint } from '../endpoint.ts'
import { fileExamples } from './fileExamples.ts'
import { readUpload, requireUploadType } from './readUpload.ts'

export const uploadFile = endpoint({
  method: 'POST',
  path: '/files',
  operationId: 'uploadFile',
  tag: 'Files',
  summary: 'Upload an input file',
  description:
    'Accepts a file as a form, by link, or in base64, with at most 26,214,400 bytes. The service detects the type from the content. A large video or audio file is returned with the state `processing`; its identifier is valid at once.',
  scope: 'files:write',
  query: noQuery,
  streamedBody: {
    content: {
      'multipart/form-data': { schema: fileForm },
      'application/json': {
        schema: fileRequest,
        examples: {
          link: { summary: 'By link', value: { url: 'https://media.example.com/first-frame.png' } },
          base64: {
            summary: 'In base64',
            value: {
              base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
              mimeType: 'image/png',
            },
          },
        },
      },
    },
    check: requireUploadType,
    read: readUpload,
  },
  success: {
    status: 201,
    description: 'The file can be used as an input.',
    schema: file,
    examples: fileExamples,
    headers: { Location: 'The URL of the file.' },
  },
  refusals: [
    'unsupported_content_type',
    'payload_too_large',
    'file_quota_exceeded',
    'file_fetch_failed',
    'unsupported_file_format',
    'file_processing_failed',
  ],
  source: {
    kind: 'mutation',
    name: 'uploadFile',
    variables: ({ body }) => ({ input: body }),
  },
  answer: (uploaded) => ({ status: 201, body: uploaded, headers: { Location: `/api/v1/files/${uploaded.fileId}` } }),
})
