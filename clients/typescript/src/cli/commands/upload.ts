import { isAddress } from '../../files/fileInput.ts'
import type { FileSource } from '../../files/fileSource.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { requireFile } from '../inputs.ts'
import { serviceOptions } from '../options.ts'
import { standardInput } from '../standardInput.ts'

/** Uploads a file for later runs. */
export const upload: Command = {
  name: 'upload',
  usage: ['<path|address|->'],
  summary: 'upload a file to use as an input',
  about: 'Prints the identifier of the file. An address is fetched by the service; - is standard input.',
  options: {
    type: { type: 'string', value: '<mimeType>', help: 'its MIME type; a file of another type is refused' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given } = invocation
    const [from = ''] = given.named('path')
    await uploadOne(invocation, { from, mimeType: given.text('type') })
  },
}

/** Uploads one file and prints its identifier. */
export async function uploadOne(
  invocation: Invocation,
  { from, mimeType }: { from: string; mimeType?: string | undefined },
): Promise<void> {
  const { output, context } = invocation
  const source = { ...(await sourceOf(invocation, from)), ...(mimeType === undefined ? {} : { mimeType }) }
  const client = await connect(invocation)
  const file = await client.uploadFile(source, { signal: context.interrupted })
  if (output.isJson) return output.json(file)
  output.data(file.fileId)
  output.note(
    `${file.mimeType ?? 'of unknown type'}, ${file.sizeBytes} bytes, for ${file.usableIn.join(', ') || 'nothing'}; kept until ${file.expiresAt} unless used`,
  )
}

async function sourceOf({ context }: Invocation, from: string): Promise<FileSource> {
  if (isAddress(from)) return { url: from }
  if (from === '-') return { content: await standardInput(context) }
  await requireFile(from, 'upload')
  return { path: from }
}
