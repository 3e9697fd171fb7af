import { type FileInput, readFileInput } from '../files/fileInput.ts'
import { uploadFile } from '../files/uploadFile.ts'
import type { CallOptions } from '../http/call.ts'
import type { Connection } from '../http/connection.ts'
import { limitConcurrency } from '../http/limitConcurrency.ts'
import type { GenerationRequest } from '../openapi.ts'
import type { RequestFiles } from './request.ts'

const uploadsAtOnce = 4

/** Where the identifiers of each kind of file go. A single video has its own field. */
const fieldsOf = { images: ['imageIds'], videos: ['videoIds', 'videoId'], audios: ['audioIds'], models3d: ['model3dIds'] } as const

type Kind = keyof typeof fieldsOf

/**
 * Uploads the files of a request, each once, and returns the request with their identifiers in the given order. When one upload fails, the
 * others are aborted. Throws AtelierError, and a TypeError for files beside identifiers of the same kind.
 */
export async function uploadInputs(
  connection: Connection,
  { images, videos, audios, models3d, ...request }: GenerationRequest & RequestFiles,
  options: CallOptions,
): Promise<GenerationRequest> {
  const kinds = Object.entries({ images, videos, audios, models3d }).filter(([, files]) => files !== undefined) as [Kind, FileInput[]][]
  for (const [kind] of kinds) {
    const taken = fieldsOf[kind].find((field) => request[field] !== undefined)
    if (taken !== undefined) throw new TypeError(`A request takes either ${kind} or ${taken}.`)
  }
  if (kinds.length === 0) return request
  const idOf = uploadOnce(connection, options)
  const entries = kinds.map(async ([kind, files]): Promise<[string, string | string[]]> => {
    const ids = await Promise.all(files.map(idOf))
    return kind === 'videos' && ids.length === 1 ? ['videoId', ids[0] ?? ''] : [fieldsOf[kind][0], ids]
  })
  return { ...request, ...Object.fromEntries(await Promise.all(entries)) }
}

/** Returns a function that uploads an input and returns its identifier. A repeated input is uploaded once. */
function uploadOnce(connection: Connection, options: CallOptions): (input: FileInput) => Promise<string> {
  const failed = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal
  const limited = limitConcurrency(uploadsAtOnce)
  const uploaded = new Map<FileInput, Promise<string>>()
  const upload = async (input: FileInput): Promise<string> => {
    const found = readFileInput(input)
    if ('id' in found) return found.id
    try {
      return (await limited(() => uploadFile(connection, found.source, { ...options, signal }))).fileId
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  return (input) => {
    const known = uploaded.get(input) ?? upload(input)
    uploaded.set(input, known)
    return known
  }
}
