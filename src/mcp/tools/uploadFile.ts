import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { file, fileFields, type PublicFile, requireExactlyOne } from '../../contract/shapes/file.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { invariant } from '../../domain/invariant.ts'
import { createUploadAddress } from '../../domain/uploadAddress.ts'
import { type ToolCall, tool, toolResult } from '../tool.ts'

const input = z.strictObject(fileFields).superRefine((body, context) => {
  if (body.url !== undefined || body.base64 !== undefined) requireExactlyOne(body, ['url', 'base64'], context)
})

/** The file; without content in the call, the address to upload it to. */
const output = file.partial().extend({ fileId: file.shape.fileId, uploadUrl: z.url().optional() })

export const uploadFile = tool({
  name: 'upload_file',
  title: 'Upload an input file',
  description:
    'Uploads an image, video, audio file or 3D model as an input of a generation, at most 25 MiB: by url (a public address, preferred) or as base64. For a local file call it without arguments: it returns an uploadUrl for one PUT of the bytes within 10 minutes (curl -T photo.png "<uploadUrl>"). Free of charge. The result of another generation needs no upload: use its generationId. Next: use the fileId in a request field from usableIn.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  connect: (field) => {
    const upload = field('mutation', 'uploadFile')
    return async (call) => {
      if (call.arguments.url === undefined && call.arguments.base64 === undefined) return addressResult(call)
      const uploaded = (await upload({ input: toUploadInput(call) }, call)) as PublicFile
      return toolResult(uploaded, fileText(uploaded))
    }
  },
})

function addressResult({ context, arguments: { mimeType } }: ToolCall<z.output<typeof input>>): CallToolResult {
  const { actor } = context
  invariant(actor.kind === 'key', 'an agent has a key')
  const { fileId, uploadUrl, expiresAt } = createUploadAddress(context, actor, mimeType)
  const text = `${fileId} exists once its bytes are sent, once, before ${expiresAt.toISOString()}: curl -T <file> '${uploadUrl}'\nNext: use ${fileId} as an input.`
  return toolResult({ uploadUrl, expiresAt: expiresAt.toISOString(), fileId }, text)
}

/** Returns the arguments, with long base64 replaced by its stream from disk. */
function toUploadInput({ arguments: given, spooledText, signal }: ToolCall<z.output<typeof input>>): object {
  if (spooledText === undefined || given.base64 === undefined) return given
  const source: IncomingContent['source'] = { encoding: 'base64', texts: spooledText(signal) }
  return { content: { source, mimeType: () => given.mimeType, signal } satisfies IncomingContent }
}

function fileText({ fileId, state, mimeType, usableIn }: PublicFile): string {
  const ready =
    state === 'processing' ? ' The service is still measuring it; for some seconds a start with it may be refused with file_not_ready.' : ''
  return `${fileId}: ${mimeType ?? 'file'}, usable in ${usableIn.join(', ')}.${ready}`
}
