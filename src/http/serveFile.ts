import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file of the release: the same for everyone until the process ends. */
export type ServedFile = { type: string; headers?: Record<string, string>; read(): Promise<Buffer> }

type Prepared = { plain: Representation; compressed: Representation }
type Representation = { content: Buffer; etag: string; headers: Record<string, string> }

const compress = promisify(gzip)

/** Handles GET and HEAD of a file: read, measured and compressed at the first request, answered with 304 to whoever has it. */
export function serveFile(file: ServedFile) {
  let prepared: Promise<Prepared> | undefined
  const prepareOnce = async (): Promise<Prepared> => {
    prepared ??= prepare(file)
    try {
      return await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { plain, compressed } = await prepareOnce()
    const { content, etag, headers } = takesGzip(request) ? compressed : plain
    reply.headers({
      ...file.headers,
      ...headers,
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(file.type).send(content)
  }
}

async function prepare(file: ServedFile): Promise<Prepared> {
  const content = await file.read()
  const hash = createHash('sha256').update(content).digest('base64url')
  return {
    plain: { content, etag: `"${hash}"`, headers: {} },
    compressed: { content: await compress(content), etag: `"${hash}-gzip"`, headers: { 'Content-Encoding': 'gzip' } },
  }
}

/** Whether gzip stands in Accept-Encoding and is not ruled out there. */
function takesGzip(request: FastifyRequest): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
  return accepted.some((each) => /^\s*gzip\s*(;\s*q\s*=\s*(?!0(\.0*)?\s*$)[\d.]+\s*)?$/.test(each))
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return known !== undefined && (known.includes(etag) || known.includes('*'))
}
