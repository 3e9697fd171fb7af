import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, Storage } from '../../storage/storage.ts'
import { releaseBuffer } from '../../transport/releaseBuffer.ts'
import { byteRangeOf } from './byteRange.ts'
import { contentDisposition } from './contentDisposition.ts'

const mimeTypeForm = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/i

// An upload may be a picture and a page at once: whatever a browser makes of it, it runs nothing and loads nothing.
const closedPolicy = "default-src 'none'; sandbox"
// A link to a film or sound opened in a tab of its own: the browser's player is a page that loads the same address again, and an
// opaque origin may not.
const playerPolicy = "default-src 'none'; media-src 'self'; sandbox allow-same-origin"

export type StoredObject = {
  key: string
  sizeBytes: number
  /** Lowercase hexadecimal; in quotes it is the entity tag. */
  sha256: string
  mimeType: string
  /** The name to save it under; of any origin. */
  fileName: string
}

export type SendObjectOptions = {
  storage: Pick<Storage, 'open' | 'read'>
  object: StoredObject
  /** True sends an attachment, false inline. */
  download: boolean
  /** How long a client may take nothing before it is cut off; two minutes unless given. */
  silenceMs?: number
}

/**
 * Answers a GET or HEAD request with a stored object: whole, one range of it, 304 or 416. Rejects before anything is sent when the
 * object cannot be opened, with ObjectNotFound when it is not there. When its content breaks off or is not of `sizeBytes`, the
 * connection is cut, so that no client takes a part for the whole. Return what it resolves to from the route's handler.
 * Contract: docs/contract.md#open-a-result-link.
 */
export async function sendObject(request: FastifyRequest, reply: FastifyReply, delivery: SendObjectOptions): Promise<FastifyReply> {
  const { storage, object, download, silenceMs = 120_000 } = delivery
  const entityTag = `"${object.sha256}"`
  if (matchesAny(request.headers['if-none-match'], entityTag))
    return reply.code(304).headers(commonHeaders(entityTag, object.mimeType)).send()

  const range = wantedRange(request, object.sizeBytes, entityTag)
  if (range === 'unsatisfiable') {
    // Without a body: no code of the closed table means it, and what clients of ranges read is Content-Range.
    return reply
      .code(416)
      .headers({ ...commonHeaders(entityTag, object.mimeType), 'content-range': `bytes */${object.sizeBytes}` })
      .send()
  }

  const lengthBytes = range === 'whole' ? object.sizeBytes : range.end - range.start + 1
  const headers = {
    ...commonHeaders(entityTag, object.mimeType),
    'content-type': mimeTypeForm.test(object.mimeType) ? object.mimeType : 'application/octet-stream',
    'content-disposition': contentDisposition(download ? 'attachment' : 'inline', object.fileName),
    'content-length': String(lengthBytes),
    ...(range === 'whole' ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${object.sizeBytes}` }),
  }
  // An empty stream, since the framework's own HEAD routes set the length of any other content.
  if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]))

  // The headers wait for the first bytes: until then a failure is still answered as one.
  const part = range === 'whole' ? undefined : range
  const body =
    lengthBytes <= wholeBytesMax
      ? readWhole(await storage.read(object.key, part), { lengthBytes, response: reply.raw })
      : await openExactStream(await storage.open(object.key, part), { lengthBytes, sent: sentChunks(reply.raw) })
  reply.raw.setTimeout(silenceMs, () => reply.raw.destroy())
  return reply
    .code(range === 'whole' ? 200 : 206)
    .headers(headers)
    .send(body)
}

/** The storage holds something else than the row says; found before anything was sent. */
export class ObjectDamaged extends Error {}

/** So much is read at once and sent at once: a stream would hold as much in memory and cost several times as much. */
const wholeBytesMax = 256 * 1024

/** The content, once it is known to be exactly so long; its memory is given back when the system has taken it. */
function readWhole(content: Buffer, { lengthBytes, response }: { lengthBytes: number; response: ServerResponse }): Buffer {
  if (content.length !== lengthBytes) throw new ObjectDamaged(`the stored object has ${content.length} bytes instead of ${lengthBytes}`)
  response.once('finish', () => releaseBuffer(content))
  return content
}

function commonHeaders(entityTag: string, mimeType: string): Record<string, string> {
  return {
    etag: entityTag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-security-policy': /^(audio|video)\//i.test(mimeType) ? playerPolicy : closedPolicy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}

function matchesAny(header: string | undefined, entityTag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || (header.match(/"[^"]*"/g)?.includes(entityTag) ?? false)
}

function wantedRange(request: FastifyRequest, sizeBytes: number, entityTag: string): ByteRange | 'whole' | 'unsatisfiable' {
  const condition = request.headers['if-range']
  const applies = request.method === 'GET' && (condition === undefined || condition === entityTag)
  return applies ? byteRangeOf(request.headers.range, sizeBytes) : 'whole'
}

type ExactLength = { lengthBytes: number; sent: SentChunks }

/** Resolves to `content` once it has brought its first bytes; the stream fails unless it is exactly `lengthBytes` long. */
async function openExactStream(content: Readable, { lengthBytes, sent }: ExactLength): Promise<Readable> {
  let missingBytes = lengthBytes
  const exact = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      missingBytes -= chunk.length
      if (exact.readableLength === 0) sent.release()
      sent.add(chunk)
      done(missingBytes < 0 ? new Error('the stored object is longer than recorded') : null, chunk)
    },
    flush(done) {
      done(missingBytes > 0 ? new Error(`the stored object ends ${missingBytes} bytes early`) : null)
    },
  })
  // Errors of either arrive at `exact`, and its end, early or not, closes `content`.
  pipeline(content, exact, () => {})
  await once(exact, 'readable')
  return exact
}

type SentChunks = { add(chunk: Buffer): void; release(): void }

/** Keeps the chunks on their way to a socket until the system has taken them, and gives their memory back then. */
function sentChunks(response: ServerResponse): SentChunks {
  const pendingChunks: Buffer[] = []
  return {
    add: (chunk) => void pendingChunks.push(chunk),
    release() {
      if (response.writableLength > 0) return
      for (const chunk of pendingChunks.splice(0)) releaseBuffer(chunk)
    },
  }
}
