import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsCoding, type Coding } from '../../transport/acceptsCoding.ts'

/** A file of the release. It does not change while the process runs. */
export type ServedFile = {
  type: string
  headers?: Record<string, string>
  read(): Promise<Buffer>
  /** Precompressed forms. Default: compressed with gzip at the first request. */
  compressed?: Partial<Record<Coding, Buffer>>
}

type Representation = { coding: Coding | undefined; content: Buffer; etag: string }

const compress = promisify(gzip)

/** In order of preference. */
const codings: readonly Coding[] = ['br', 'gzip']

/** Memory per slow reader of a large file; the file itself is shared. */
const sliceBytes = 64 * 1024
const sentWholeBytesMax = 4 * sliceBytes

/** Handles GET and HEAD of a file. Reads, hashes and compresses it at the first request. Answers 304 to a matching If-None-Match. */
export function serveFile(file: ServedFile) {
  let prepared: Promise<Representation[]> | undefined
  const prepareOnce = async (): Promise<Representation[]> => {
    prepared ??= prepare(file)
    try {
      return await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const representations = await prepareOnce()
    const taken = representations.find(({ coding }) => coding === undefined || acceptsCoding(request, coding))
    // The uncompressed form always exists.
    const { coding, content, etag } = taken as Representation
    reply.headers({
      'Cache-Control': 'no-cache',
      ...file.headers,
      ...(coding ? { 'Content-Encoding': coding } : {}),
      ETag: etag,
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
    })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(file.type)
    if (request.method === 'HEAD' || content.length <= sentWholeBytesMax) return reply.send(content)
    return reply.header('Content-Length', content.length).send(Readable.from(slicesOf(content)))
  }
}

async function prepare(file: ServedFile): Promise<Representation[]> {
  const plain = await file.read()
  const hash = createHash('sha256').update(plain).digest('base64url')
  const compressed: Partial<Record<Coding, Buffer>> = file.compressed ?? { gzip: await compress(plain) }
  return [
    ...codings.flatMap((coding) => {
      const content = compressed[coding]
      return content ? [{ coding, content, etag: `"${hash}-${coding}"` }] : []
    }),
    { coding: undefined, content: plain, etag: `"${hash}"` },
  ]
}

function* slicesOf(content: Buffer): Iterable<Buffer> {
  for (let at = 0; at < content.length; at += sliceBytes) yield content.subarray(at, at + sliceBytes)
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return known !== undefined && (known.includes(etag) || known.includes('*'))
}
