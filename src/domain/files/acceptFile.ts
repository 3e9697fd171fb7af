import type { StoredFile } from '../../entities/StoredFile.ts'
import { checkDeclaredType, type Measured } from '../../media/inspectionResult.ts'
import { mayNeedProcessingJob, mediaFormats, needsProcessingJob } from '../../media/mediaFormats.ts'
import type { Context } from '../context.ts'
import type { IncomingContent } from '../incomingContent.ts'
import { callInspector, inspectionRefusal } from './callInspector.ts'
import { decodeBase64, slicesOf } from './decodeBase64.ts'
import { fetchFromUrl } from './fetchFromUrl.ts'
import { type SpooledUpload, spoolUpload } from './spoolUpload.ts'
import { type FileOwner, type ProbableFormat, storeUpload } from './storeUpload.ts'
import { requireUnusedFileQuota } from './unusedFiles.ts'
import { requireUnusedAddress } from './usedAddresses.ts'

/** How a file is sent: as uploaded content, as a link, or as base64. `mimeType` is the type that the sender declares. */
export type SentFile =
  | { content: IncomingContent }
  | { url: string; mimeType: string | undefined }
  | { base64: string; mimeType: string | undefined }

/**
 * Receives, recognises, inspects and stores a file as an input of generations. A refused file leaves nothing behind.
 * `signal` aborts a fetch; uploaded content has its own signal.
 * Refusals: file_quota_exceeded, payload_too_large, unsupported_file_format, file_processing_failed; for a link file_fetch_failed and
 * invalid_request; for base64 invalid_request; not_found when the file of an upload address exists or was deleted; service_unavailable when too many files
 * wait.
 * Contract: docs/contract.md#upload-a-file.
 */
export async function acceptFile(context: Context, owner: FileOwner, sent: SentFile, signal: AbortSignal): Promise<StoredFile> {
  await requireUnusedFileQuota(context, owner.ownerId)
  const id = 'content' in sent ? sent.content.fileId : undefined
  if (id !== undefined) await requireUnusedAddress(context, id)
  const incoming = await open(context, sent, signal)
  const { ownerId } = owner
  return await spoolUpload(context, { chunks: incoming.chunks, ownerId, signal: incoming.signal }, async (received) => {
    const declared = incoming.declared()
    const heavy = await detectHeavyFile(received, declared)
    const found = heavy ?? (await inspect(context, received, { declared, ownerId, signal: incoming.signal }))
    incoming.signal.throwIfAborted()
    return await storeUpload(context, owner, { id, received, declaredMimeType: declared[0], found })
  })
}

/** Incoming bytes and their declared types, which must match the content. `declared` is complete after the last chunk. */
type Incoming = { chunks: AsyncIterable<Uint8Array>; declared(): string[]; signal: AbortSignal }

async function open(context: Context, sent: SentFile, signal: AbortSignal): Promise<Incoming> {
  if ('url' in sent) {
    const chunks = await fetchFromUrl(context, sent.url, signal)
    return { chunks, declared: () => definedOf(sent.mimeType), signal }
  }
  if ('base64' in sent) return decoding(slicesOf(sent.base64), () => sent.mimeType, signal)
  const { source, mimeType, signal: gone } = sent.content
  if (source.encoding === 'base64') return decoding(source.texts, mimeType, gone)
  return { chunks: source.chunks, declared: () => definedOf(mimeType()), signal: gone }
}

function decoding(texts: AsyncIterable<string> | Iterable<string>, mimeType: () => string | undefined, signal: AbortSignal): Incoming {
  let prefixMimeType: string | undefined
  const chunks = decodeBase64(texts, (found) => {
    prefixMimeType = found
  })
  return { chunks, declared: () => definedOf(mimeType(), prefixMimeType), signal }
}

function definedOf(...mimeTypes: (string | undefined)[]): string[] {
  return mimeTypes.filter((mimeType) => mimeType !== undefined)
}

/**
 * Recognises a large file by its first bytes; `undefined` for other files, which are inspected at once.
 * Refusals: unsupported_file_format, service_unavailable.
 */
async function detectHeavyFile({ sizeBytes, recognised }: SpooledUpload, declared: string[]): Promise<ProbableFormat | undefined> {
  if (recognised === undefined || !mayNeedProcessingJob(sizeBytes)) return undefined
  const detected = await recognised()
  const [likeliest, ...others] = detected.candidates
  if (likeliest === undefined || !needsProcessingJob({ type: mediaFormats[likeliest].type, sizeBytes })) return undefined
  const refused = checkDeclaredType(detected, declared)
  if (refused) throw inspectionRefusal(refused, null)
  const { type, mimeType } = mediaFormats[likeliest]
  // The type stays open when only the tracks decide between video and audio.
  return { ok: 'likely', type: others.every((other) => mediaFormats[other].type === type) ? type : null, mimeType }
}

type Inspecting = { declared: string[]; ownerId: string; signal: AbortSignal }

async function inspect(context: Context, { path }: SpooledUpload, { declared, ownerId, signal }: Inspecting): Promise<Measured> {
  const inspected = await callInspector(context.inspector.inspect(path, { owner: ownerId, signal, declaredMimeTypes: declared }))
  if (!inspected.ok) throw inspectionRefusal(inspected, null)
  return inspected
}
