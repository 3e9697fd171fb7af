/** The content of a file while the client still uploads it. Read it once and to its end. A source that fails throws a refusal. */
export type IncomingContent = {
  /**
   * Either bytes, where each chunk is valid until the next one is read, or base64 text in pieces of any length, with or without a
   * `data:` prefix.
   */
  source: { encoding: 'none'; chunks: AsyncIterable<Uint8Array> } | { encoding: 'base64'; texts: AsyncIterable<string> }
  /** The MIME type that the client declares. It may follow the content, so it is final only after the source has ended. */
  mimeType(): string | undefined
  /** The identifier of the file to make; used for one file at most. */
  fileId?: string
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

/** True for content that this process is receiving; a value parsed from JSON has no functions. */
export function isIncomingContent(value: unknown): value is IncomingContent {
  return typeof value === 'object' && value !== null && 'mimeType' in value && typeof value.mimeType === 'function'
}
