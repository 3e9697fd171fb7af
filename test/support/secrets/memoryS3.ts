import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** The part of S3 that small objects need, in memory: put, get with ranges, head and delete. It does not verify signatures. */
export async function startMemoryS3(): Promise<{ url: string; close(): Promise<void> }> {
  const objects = new Map<string, { content: Buffer; type: string }>()
  const server = createServer((request, response) => void answer(objects, request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  objects: Map<string, { content: Buffer; type: string }>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const key = new URL(request.url ?? '/', 'http://s3').pathname
  const content = await buffer(request)
  if (request.method === 'PUT') {
    objects.set(key, { content, type: request.headers['content-type'] ?? 'application/octet-stream' })
    response.writeHead(200, { etag: `"${createHash('md5').update(content).digest('hex')}"` }).end()
    return
  }
  const found = objects.get(key)
  if (request.method === 'DELETE') {
    objects.delete(key)
    response.writeHead(204).end()
  } else if (!found) {
    response.writeHead(404, { 'content-type': 'application/xml' })
    response.end(request.method === 'HEAD' ? undefined : '<Error><Code>NoSuchKey</Code></Error>')
  } else sendObject(found, request, response)
}

function sendObject({ content, type }: { content: Buffer; type: string }, request: IncomingMessage, response: ServerResponse): void {
  const [, from, until] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const [start, end] = from === undefined ? [0, content.length - 1] : [Number(from), Math.min(Number(until), content.length - 1)]
  const part = content.subarray(start, end + 1)
  const range = from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${content.length}` }
  response.writeHead(from === undefined ? 200 : 206, { 'content-type': type, 'content-length': part.length, ...range })
  response.end(request.method === 'HEAD' ? undefined : part)
}
