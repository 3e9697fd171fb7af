import type { CallInput, MadeBody } from '../http/call.ts'
import { type FormFile, multipartStream } from '../http/multipart.ts'

/** The content of a file, in memory or streamed. A stream can be read once, so its upload is attempted once. */
export type FileContent = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** The source of an upload: a path (with a file system), its content, or a URL from which the service fetches it. */
export type FileSource = ({ path: string | URL } | { content: FileContent; name?: string } | { url: string }) & {
  /** The type of the content. A file of another type is refused. */
  mimeType?: string
}

type UploadInput = Pick<CallInput<'uploadFile'>, 'body' | 'makeBody' | 'attemptsMax'>

/**
 * The request of an upload. Content that can be read again is read for each attempt. `onSent` gets the number of bytes taken from a path
 * or a stream.
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

/** Opens the file first, so that an unreadable path throws the file system error instead of a failed connection. */
async function fromPath(path: string | URL, form: Pick<FormFile, 'mimeType' | 'onSent'>): Promise<MadeBody> {
  const [{ open }, { basename }] = await Promise.all([import('node:fs/promises'), import('node:path')])
  const content = (await open(path)).createReadStream()
  const stream = multipartStream({
    ...form,
    name: basename(path instanceof URL ? decodeURIComponent(path.pathname) : path),
    chunks: content,
  })
  const release = () => {
    stream.release()
    // An unread stream is not closed by its consumer.
    content.destroy()
  }
  return { ...stream, release }
}

/** Not all browsers can iterate streams. */
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
