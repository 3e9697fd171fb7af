import { stat } from 'node:fs/promises'
import type { Atelier } from '../atelier.ts'
import { isAddress, isIdentifier } from '../files/fileInput.ts'
import type { GenerationRequest } from '../openapi.ts'
import type { Invocation } from './command.ts'
import { UsageError } from './usageError.ts'

const media = ['image', 'video', 'audio', 'model3d'] as const
type Medium = (typeof media)[number]
type MediaFields = Pick<GenerationRequest, 'imageIds' | 'videoId' | 'videoIds' | 'audioIds' | 'model3dIds'>

/** The uploaded files, by their argument on the command line. */
export type Uploaded = Map<string, string>

/**
 * The media fields of a request. Paths and addresses are uploaded one by one, each once; all paths are checked first. Throws UsageError.
 */
export async function mediaFields(client: Atelier, invocation: Invocation): Promise<{ fields: MediaFields; uploaded: Uploaded }> {
  const { given, output, context } = invocation
  const inputs = media.flatMap((medium) => given.texts(medium).map((input) => ({ medium, input })))
  for (const { medium, input } of inputs) if (isPath(input)) await requireFile(input, `--${medium}`)
  const uploaded: Uploaded = new Map()
  for (const { input } of inputs) {
    if (isIdentifier(input) || uploaded.has(input)) continue
    const source = isAddress(input) ? { url: input } : { path: input }
    const { fileId } = await client.uploadFile(source, { signal: context.interrupted })
    uploaded.set(input, fileId)
    output.note(`${input} is ${fileId}`)
  }
  const idsOf = (medium: Medium) => given.texts(medium).map((input) => uploaded.get(input) ?? input)
  return { fields: fieldsOf(idsOf), uploaded }
}

function fieldsOf(idsOf: (medium: Medium) => string[]): MediaFields {
  const list = (name: keyof MediaFields, ids: string[]) => (ids.length === 0 ? {} : { [name]: ids })
  const [video, ...more] = idsOf('video')
  return {
    ...list('imageIds', idsOf('image')),
    ...(video === undefined ? {} : more.length === 0 ? { videoId: video } : { videoIds: [video, ...more] }),
    ...list('audioIds', idsOf('audio')),
    ...list('model3dIds', idsOf('model3d')),
  }
}

function isPath(input: string): boolean {
  return !isIdentifier(input) && !isAddress(input)
}

/** Throws UsageError unless the path is a regular file. `where` names its argument. */
export async function requireFile(path: string, where: string): Promise<void> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(
      cause.code === 'ENOENT' ? `${where}: the file ${path} does not exist` : `${where}: ${path} cannot be read (${cause.code})`,
      { cause },
    )
  })
  if (found.isDirectory()) throw new UsageError(`${where}: ${path} is a folder`)
  if (!found.isFile()) throw new UsageError(`${where}: ${path} is not a regular file`)
}
