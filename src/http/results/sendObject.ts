import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, Storage } from '../../storage/storage.ts'
import { releaseBuffer } from '../../transport/releaseBuffer.ts'
import { byteRangeOf } from './byteRange.ts'
import { contentDisposition } from './contentDisposition.ts'

const mimeTypeForm = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/i

// An upload may be a valid image and HTML page at once. As a page, it must run and load nothing.
const closedPolicy = "default-src 'none'; sandbox"
// A video or audio link opened in a tab: the browser's player loads the same URL again, which an opaque origin may not do.
const playerPolicy = "default-src 'none'; media-src 'self'; sandbox allow-same-origin"

export type StoredObject = {
  key: string
  sizeBytes: number
  /** Lowercase hexadecimal. Also used as the entity tag. */
  sha256: string
  mimeType: string
  /** The file name for downloads; may be untrusted. */
  fileName: string
}

export type SendObjectOptions = {
  storage: Pick<Storage, 'open' | 'read'>
  object: StoredObject
  /** True sends an attachment, false inline. */
  download: boolean
  /** The connection is closed when the client reads nothing for this time. Default: two minutes. */
  silenceMs?: number
}

/**
 * Answers a GET or HEAD request with a stored object: whole, one range, 304 or 416. Rejects before anything is sent when the object cannot
 * be opened, with ObjectNotFound when it is missing. When the content ends early or differs from `sizeBytes`, the connection is closed, so
 * that a client cannot mistake a part for the whole. Return the result from the route's handler.
 * Contract: docs/contract.md#open-a-result-link.
 */
export async function sendObject(request: FastifyRequest, reply: FastifyReply, delivery: SendObjectOptions): Promise<FastifyReply> {
  const { storage, object, download, silenceMs = 120_000 } = delivery
  const entityTag = `"${object.sha256}"`
  if (matchesAny(request.headers['if-none-match'], entityTag))
    return reply.code(304).headers(commonHeaders(entityTag, object.mimeType)).send()

  const range = wantedRange(request, object.sizeBytes, entityTag)
  if (range === 'unsatisfiable') {
    // Without a body: the table of codes has none for 416, and clients read Content-Range.
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
  // An empty stream, because Fastify would overwrite Content-Length for any other body.
  if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]))

  // The headers wait for the first bytes, so that an earlier failure is still sent as an error.
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

/** The stored object differs from its row. Thrown before anything is sent. */
export class ObjectDamaged extends Error {}

/** Smaller content is read and sent at once. A stream would use as much memory and several times the CPU time. */
const wholeBytesMax = 256 * 1024

/** Checks the length of the content. Frees its memory when the system has accepted it. */
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

/** Resolves once the first bytes of `content` have arrived. The stream fails unless it is exactly `lengthBytes` long. */
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
  // `exact` gets the errors of both streams, and closing it closes `content`.
  pipeline(content, exact, () => {})
  await once(exact, 'readable')
  return exact
}

type SentChunks = { add(chunk: Buffer): void; release(): void }

/** Keeps chunks until the system has accepted them, then frees their memory. */
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
