import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsCoding } from '../transport/acceptsCoding.ts'

const compress = promisify(gzip)

/** Shorter responses fit in one packet. */
const bytesMin = 1024
/** Longer ones would take a thread for tens of milliseconds. */
const bytesMax = 1024 * 1024

/**
 * Sends the response of an operation, with gzip if the client accepts it. Mutations are never compressed: some return new secrets, whose
 * length must not depend on text that the caller chose (docs/decisions/0041-compress-queries.md).
 */
export async function sendCompressed(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): Promise<FastifyReply> {
  reply.header('Vary', 'Accept-Encoding')
  const isCompressible = bytes.length >= bytesMin && bytes.length <= bytesMax && !mayMutate(request.body)
  if (!isCompressible || !acceptsCoding(request, 'gzip')) return reply.send(bytes)
  const compressed = await compress(bytes)
  return reply.header('Content-Encoding', 'gzip').send(compressed)
}

/** Every document with a mutation contains this word. Queries with the word are sent uncompressed too. */
function mayMutate(body: unknown): boolean {
  return !(typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string' && !/mutation/.test(body.query))
}
