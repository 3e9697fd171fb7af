import type { StoredFile } from '../../entities/StoredFile.ts'
import { type Measured, refuseDetected, unsupported } from '../../media/inspected.ts'
import { type FormatName, isHeavy, mayMean, mediaFormats } from '../../media/mediaFormats.ts'
import type { Context } from '../context.ts'
import type { IncomingContent } from '../incomingContent.ts'
import { decodeBase64, slicesOf } from './decodeBase64.ts'
import { fetchByLink } from './fetchByLink.ts'
import { type FileOwner, keepContent } from './keepContent.ts'
import { type Received, receiveContent } from './receiveContent.ts'
import { refusalOfInspected } from './refusalOfInspected.ts'

/** The ways in which a file comes: content that is being received, a link, base64. `mimeType` is what the sender says it is. */
export type SentFile =
  | { content: IncomingContent }
  | { url: string; mimeType: string | undefined }
  | { base64: string; mimeType: string | undefined }

/**
 * Takes a file in as an input of generations: receives it within the limit, recognises it, has it inspected, and keeps it. A refused
 * file leaves nothing behind. `signal` ends a fetch; received content brings its own.
 * Refusals: payload_too_large, unsupported_file_format, file_processing_failed, file_fetch_failed and invalid_request for a link,
 * invalid_request for base64, service_unavailable when too many files wait.
 * Spec: POST /files. Contract: section 3, POST /files; section 4.
 */
export async function acceptFile(context: Context, owner: FileOwner, sent: SentFile, signal: AbortSignal): Promise<StoredFile> {
  const incoming = await open(context, sent, signal)
  return await receiveContent(context, incoming.chunks, async (received) => {
    const declared = incoming.declared()
    refuseContradicted(received, declared)
    const { type } = mediaFormats[received.detected.candidates[0]]
    const measured = isHeavy({ type, sizeBytes: received.sizeBytes })
      ? undefined
      : await inspect(context, received, { declared, owner: owner.ownerId, signal: incoming.signal })
    incoming.signal.throwIfAborted()
    return await keepContent(context, owner, { received, declaredMimeType: declared[0], measured })
  })
}

/** Bytes on their way in, and what is said of them: everything that must not contradict the content, certain at the end. */
type Incoming = { chunks: AsyncIterable<Uint8Array>; declared(): string[]; signal: AbortSignal }

async function open(context: Context, sent: SentFile, signal: AbortSignal): Promise<Incoming> {
  if ('url' in sent) {
    const chunks = await fetchByLink(context, sent.url, signal)
    return { chunks, declared: () => definedOf(sent.mimeType), signal }
  }
  if ('base64' in sent) return decoding(slicesOf(sent.base64), () => sent.mimeType, signal)
  const { source, mimeType, signal: gone } = sent.content
  if (source.encoding === 'base64') return decoding(source.texts, mimeType, gone)
  return { chunks: source.chunks, declared: () => definedOf(mimeType()), signal: gone }
}

function decoding(texts: AsyncIterable<string> | Iterable<string>, mimeType: () => string | undefined, signal: AbortSignal): Incoming {
  let inPrefix: string | undefined
  const chunks = decodeBase64(texts, (found) => {
    inPrefix = found
  })
  return { chunks, declared: () => definedOf(mimeType(), inPrefix), signal }
}

function definedOf(...mimeTypes: (string | undefined)[]): string[] {
  return mimeTypes.filter((mimeType) => mimeType !== undefined)
}

function refuseContradicted({ detected }: Received, declared: string[]): void {
  for (const mimeType of declared) {
    const refused = refuseDetected(detected, mimeType)
    if (refused) throw refusalOfInspected(refused, null)
  }
}

type Inspecting = { declared: string[]; owner: string; signal: AbortSignal }

async function inspect(context: Context, { path }: Received, { declared, owner, signal }: Inspecting): Promise<Measured> {
  const [declaredMimeType, ...others] = declared
  const inspected = await context.inspector.inspect(path, { owner, signal, ...(declaredMimeType ? { declaredMimeType } : {}) })
  if (!inspected.ok) throw refusalOfInspected(inspected, null)
  const format = formatNames.find((name) => mediaFormats[name].mimeType === inspected.mimeType)
  const contradicting = others.find((mimeType) => format && !mayMean(mimeType, format))
  if (contradicting !== undefined) throw refusalOfInspected(unsupported(inspected.mimeType, contradicting), null)
  return inspected
}

const formatNames = Object.keys(mediaFormats) as FormatName[]
