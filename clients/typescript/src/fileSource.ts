import type { CallInput, MadeBody } from './call.ts'
import { type FormFile, multipartStream } from './multipart.ts'

/** The content of a file: at hand, or as it comes. A stream is read once, so that its upload is tried once. */
export type FileContent = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Where a file to upload comes from: a path (where there is a file system), its content, or an address from which the service fetches it. */
export type FileSource = ({ path: string } | { content: FileContent; name?: string } | { url: string }) & {
  /** What the content is; a file whose content is something else is refused. */
  mimeType?: string
}

type UploadInput = Pick<CallInput<'uploadFile'>, 'body' | 'makeBody' | 'attemptsMax'>

/**
 * The request that uploads a file. Content that can be read again is read anew for each attempt. `onSent` is told how much of a path or a
 * stream has been taken.
 */
export function uploadInput(source: FileSource, onSent: (bytes: number) => void): UploadInput {
  const { mimeType } = source
  if ('url' in source) return { body: { url: source.url, ...(mimeType === undefined ? {} : { mimeType }) } }
  if ('path' in source) return { makeBody: () => fromPath(source.path, { mimeType, onSent }) }
  const { content, name = 'file' } = source
  if (content instanceof Blob || content instanceof ArrayBuffer || content instanceof Uint8Array) {
    return { makeBody: async () => ({ body: formOf(content, { name, mimeType }) }) }
  }
  return { makeBody: async () => multipartStream({ name, mimeType, onSent, chunks: chunksOf(content) }), attemptsMax: 1 }
}

function formOf(content: Blob | ArrayBuffer | Uint8Array, { name, mimeType }: { name: string; mimeType: string | undefined }): FormData {
  const form = new FormData()
  if (mimeType !== undefined) form.set('mimeType', mimeType)
  form.set('file', content instanceof Blob ? content : new Blob([content.slice(0)]), name)
  return form
}

/** Opens the file first, so that a path that cannot be read is told as such, and not as a connection that failed. */
async function fromPath(path: string, form: Pick<FormFile, 'mimeType' | 'onSent'>): Promise<MadeBody> {
  const [{ open }, { basename }] = await Promise.all([import('node:fs/promises'), import('node:path')])
  const content = (await open(path)).createReadStream()
  const stream = multipartStream({ ...form, name: basename(path), chunks: content })
  const release = () => {
    stream.release()
    // A stream that was never begun does not end with what would have read it.
    content.destroy()
  }
  return { ...stream, release }
}

/** Streams of browsers cannot be iterated everywhere. */
async function* chunksOf(content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  if (!(content instanceof ReadableStream)) {
    yield* content
    return
  }
  const reader = content.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}
