import type { FileContent, FileSource } from './fileSource.ts'

/**
 * A file for a generation: its content, a URL, or a text. A text is the identifier of a file or generation, an http or https address, or
 * else a path. Pass a text from other people only as an identifier in `imageIds` and its neighbours, because a path reads your files.
 */
export type FileInput = string | URL | FileContent | FileSource

/** The identifier of an input that needs no upload, or where to upload it from. Throws a TypeError for another URL. */
export function readFileInput(input: FileInput): { id: string } | { source: FileSource } {
  if (typeof input === 'string') {
    if (isIdentifier(input)) return { id: input }
    return { source: isAddress(input) ? { url: input } : { path: input } }
  }
  if (input instanceof URL) return { source: sourceOfUrl(input) }
  return { source: isSource(input) ? input : { content: input } }
}

/** True for the identifier of a file or generation. */
export function isIdentifier(text: string): boolean {
  return /^(file|gen)_[0-9a-z]{26}$/.test(text)
}

/** True for an address that the service can fetch. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function sourceOfUrl(url: URL): FileSource {
  if (isAddress(url.href)) return { url: url.href }
  if (url.protocol === 'file:') return { path: url }
  throw new TypeError('A file input takes an http, https or file URL.')
}

function isSource(input: FileContent | FileSource): input is FileSource {
  return 'path' in input ? !(Symbol.asyncIterator in input) : 'content' in input || 'url' in input
}
