import type { File, Operations } from '../../openapi.ts'
import type { Command, Invocation } from '../command.ts'
import { connect } from '../connect.ts'
import { serviceOptions } from '../options.ts'
import { writeTable } from '../table.ts'
import { UsageError } from '../usageError.ts'
import { uploadOne } from './upload.ts'

type FilesQuery = Operations['listFiles']['query']

const types = ['image', 'video', 'audio', 'model3d'] as const

/** Manages the uploaded files. */
export const files: Command = {
  name: 'files',
  usage: ['list', 'upload <path|address|->', 'delete <fileId>'],
  summary: 'list, upload and delete input files',
  about:
    'Columns of list: identifier, state, MIME type, bytes, creation, end. An unused file is deleted at its end; deletion cannot be undone.',
  options: {
    type: { type: 'string', value: '<type>', help: 'list: only image, video, audio or model3d' },
    unused: { type: 'boolean', help: 'list: only files that count towards the quota' },
    ...serviceOptions,
  },
  run: async (invocation) => {
    const { given } = invocation
    const [action = 'list'] = given.arguments
    if (action === 'list') return await listAll(invocation)
    if (action !== 'upload' && action !== 'delete') throw new UsageError('files takes list, upload or delete.')
    if (given.text('type') !== undefined || given.flag('unused')) throw new UsageError('--type and --unused go with list.')
    const [, subject = ''] = given.named('action', action === 'upload' ? 'path' : 'fileId')
    await (action === 'upload' ? uploadOne(invocation, { from: subject }) : deleteOne(invocation, subject))
  },
}

async function listAll(invocation: Invocation): Promise<void> {
  const { given, output, context } = invocation
  if (given.arguments.length > 0) given.named('action')
  const type = given.choice('type', types)
  const filter: FilesQuery = { ...(type === undefined ? {} : { type }), ...(given.flag('unused') ? { unused: 'true' } : {}) }
  const client = await connect(invocation)
  const found: File[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.listFiles({ ...filter, ...(cursor ? { cursor } : {}) }, { signal: context.interrupted })
    found.push(...page.items)
    cursor = page.nextCursor
  }
  if (output.isJson) for (const file of found) output.json(file)
  else writeTable(output, ['FILE', 'STATE', 'TYPE', 'BYTES', 'CREATED', 'KEPT UNTIL'], found.map(rowOf))
}

function rowOf({ fileId, state, mimeType, sizeBytes, createdAt, expiresAt }: File): string[] {
  return [fileId, state, mimeType ?? 'unknown', String(sizeBytes), createdAt, expiresAt]
}

async function deleteOne(invocation: Invocation, id: string): Promise<void> {
  const client = await connect(invocation)
  await client.deleteFile(id, { signal: invocation.context.interrupted })
  invocation.output.note(`The file ${id} is deleted.`)
}
