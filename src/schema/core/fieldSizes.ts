import { limits } from '../../contract/limits.ts'

/** What a field may add to an answer, for the limits of documents: spread into the options of fields longer than others of their type. */
export function maxFieldBytes(maxFieldBytes: number) {
  return { extensions: { maxFieldBytes } }
}

/** Marks a field that is a query of its own to the database over many rows, as a page of a connection is. */
export const countsAsPage = { extensions: { isPage: true } }

/** A character of JSON text takes six bytes at most: `\u0001`. */
const escapedBytes = 6

/** The longest values of fields, in bytes. */
export const longest = {
  prompt: limits.promptCharacters * escapedBytes,
  /** What came in one body of a request; JSON that says nothing of itself is taken for as long. */
  body: limits.requestBodyBytes,
  metadata: limits.metadataEntries * (limits.metadataNameCharacters + limits.metadataValueCharacters) * escapedBytes,
  preview: limits.previewBytes * 2,
  /** Objects with a few short members. */
  smallJson: 4000,
  /** Changed settings of one administrative act. */
  auditDetails: 8000,
  /** JSON Schema of the parameters of a variant or family. */
  parametersSchema: 64_000,
  /** The kept bytes of a reply with each of them as an escape, and words around them. */
  reply: limits.webhookReplyBytesKept * 8,
  address: 2048,
} as const
