/**
 * The content of a file while it is still coming in from a client. It is read once and to its end; a source that fails says so with
 * what the client is to be refused with.
 */
export type IncomingContent = {
  /** The bytes themselves, each chunk of which lasts until the next is asked for, or their base64 as text in pieces of any length, with or without a `data:` prefix. */
  source: { encoding: 'none'; chunks: AsyncIterable<Uint8Array> } | { encoding: 'base64'; texts: AsyncIterable<string> }
  /** What the client says that the content is; it may say so behind the content, so that this is certain only after the source has ended. */
  mimeType(): string | undefined
  /** Aborts when the client goes away. */
  signal: AbortSignal
}

/** Tells content that a door of this process is receiving from anything that came as JSON, which has no functions. */
export function isIncomingContent(value: unknown): value is IncomingContent {
  return typeof value === 'object' && value !== null && 'mimeType' in value && typeof value.mimeType === 'function'
}
