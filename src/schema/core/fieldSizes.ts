import { limits } from '../../contract/limits.ts'

/** The maximum bytes of a field, for the limit of documents. Spread it into the options of a field longer than others of its type. */
export function maxFieldBytes(maxFieldBytes: number) {
  return { extensions: { maxFieldBytes } }
}

/** Marks a field that runs its own query over many rows, like a page of a connection. */
export const countsAsPage = { extensions: { isPage: true } }

/** The maximum bytes of a character in JSON text: `\u0001`. */
const escapedBytes = 6

/** The maximum sizes of fields, in bytes. */
export const longest = {
  prompt: limits.promptCharacters * escapedBytes,
  /** Data from one request body. Also the default for JSON fields without a size. */
  body: limits.requestBodyBytes,
  metadata: limits.metadataEntries * (limits.metadataNameCharacters + limits.metadataValueCharacters) * escapedBytes,
  preview: limits.previewBytes * 2,
  /** Objects with a few short members. */
  smallJson: 4000,
  /** Changed settings of one administrative act. */
  auditDetails: 8000,
  /** JSON Schema of the parameters of a variant or family. */
  parametersSchema: 64_000,
  /** The stored bytes of a reply, each written as an escape, and our text around them. */
  reply: limits.webhookReplyBytesKept * 8,
  address: 2048,
} as const
