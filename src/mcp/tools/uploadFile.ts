import { z } from 'zod'
import { file, fileFields, type PublicFile, requireExactlyOne } from '../../contract/shapes/file.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { type ToolCall, tool, toolResult } from '../tool.ts'

const input = z.strictObject(fileFields).superRefine((body, context) => requireExactlyOne(body, ['url', 'base64'], context))

export const uploadFile = tool({
  name: 'upload_file',
  title: 'Upload an input file',
  description:
    'Takes in an image, video, sound or 3D model as an input of a generation, 25 MiB at most: by url (a public address; prefer it) or as base64, exactly one of the two. Free of charge. What another generation made needs no upload: its generationId is an input as it is. Next: put the fileId into one of the request fields that usableIn names.',
  input,
  output: file,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  connect: (field) => {
    const upload = field('mutation', 'uploadFile')
    return async (call) => {
      const kept = (await upload({ input: toUploadInput(call) }, call)) as PublicFile
      return toolResult(kept, fileText(kept))
    }
  },
})

/** Long base64 stands in a file by now, so that no call holds it in memory. */
function toUploadInput({ arguments: given, spooledText, signal }: ToolCall<z.output<typeof input>>): object {
  if (spooledText === undefined || given.base64 === undefined) return given
  const source: IncomingContent['source'] = { encoding: 'base64', texts: spooledText(signal) }
  return { content: { source, mimeType: () => given.mimeType, signal } satisfies IncomingContent }
}

function fileText({ fileId, state, mimeType, usableIn }: PublicFile): string {
  const ready =
    state === 'processing' ? ' It is still being measured; a start that needs it may be refused with file_not_ready for some seconds.' : ''
  return `${fileId}: ${mimeType ?? 'file'}, usable in ${usableIn.join(', ')}.${ready}`
}
