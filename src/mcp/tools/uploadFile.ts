import { z } from 'zod'
import { file, fileFields, type PublicFile, requireOneWay } from '../../contract/file.ts'
import { told, tool } from '../tool.ts'

const input = z.strictObject(fileFields).superRefine((body, context) => requireOneWay(body, ['url', 'base64'], context))

export const uploadFile = tool({
  name: 'upload_file',
  title: 'Upload an input file',
  description:
    'Takes in an image, video, sound or 3D model as an input of a generation, 25 MB at most: by url (a public address; prefer it) or as base64, exactly one of the two. Free of charge. What another generation made needs no upload: its generationId is an input as it is. Next: put the fileId into one of the request fields that usableIn names.',
  input,
  output: file,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  connect: (field) => {
    const upload = field('mutation', 'uploadFile')
    return async (call) => {
      const kept = (await upload({ input: call.arguments }, call)) as PublicFile
      return told(kept, fileText(kept))
    }
  },
})

function fileText({ fileId, state, mimeType, usableIn }: PublicFile): string {
  const ready =
    state === 'processing' ? ' It is still being measured; a start that needs it may be refused with file_not_ready for some seconds.' : ''
  return `${fileId}: ${mimeType ?? 'file'}, usable in ${usableIn.join(', ')}.${ready}`
}
