import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { s3Storage } from '../../src/storage/s3.ts'
import type { Storage } from '../../src/storage/storage.ts'

const MiB = 1024 * 1024

// A real server does not show these faults, so the tests answer the driver's requests themselves.
let server: Server
let storage: Storage
let requests: string[]
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
  requests = []
  server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    await buffer(request).catch(() => {})
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  storage = s3Storage({ bucket: 'bucket', prefix: 'prefix', endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await storage.close()
  server.closeAllConnections()
  server.close()
})

const uploadBegun = '<InitiateMultipartUploadResult><UploadId>upload-1</UploadId></InitiateMultipartUploadResult>'

function endlessSource(): Readable {
  const chunk = Buffer.alloc(64 * 1024)
  return new Readable({
    read() {
      this.push(chunk)
    },
  })
}

function denied(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>')
}

test.each([
  ['that ended', () => Readable.from([Buffer.alloc(11 * MiB)])],
  ['that would go on for long', endlessSource],
])('a refused part of a source %s aborts the whole upload and rejects with the refusal', async (_kind, open) => {
  answer = (request, response) => {
    if (request.method === 'POST') response.end(uploadBegun)
    else if (request.method === 'PUT') denied(response)
    else response.writeHead(204).end()
  }
  const source = open()

  await expect(storage.put('a', source)).rejects.toMatchObject({ name: 'AccessDenied' })

  expect(requests.at(-1)).toMatch(/^DELETE \/bucket\/prefix\/a\?uploadId=upload-1/)
  expect(source.destroyed).toBe(true)
})

test('a refused start of an upload rejects with the refusal and ends the source', async () => {
  answer = (_request, response) => denied(response)
  const source = endlessSource()

  await expect(storage.put('a', source)).rejects.toMatchObject({ name: 'AccessDenied' })
  expect(source.destroyed).toBe(true)
})

test('a refused small object rejects with the refusal and ends the source', async () => {
  answer = (_request, response) => denied(response)
  const source = new PassThrough()
  const writing = storage.put('a', source)
  source.end('content')

  await expect(writing).rejects.toMatchObject({ name: 'AccessDenied' })
  expect(requests).toEqual(['PUT /bucket/prefix/a?x-id=PutObject'])
})

test('a truncated response of the server fails the reader', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('only this', () => response.destroy())
  }

  await expect(buffer(await storage.open('a'))).rejects.toThrow('aborted')
})

test('a server that ignores ranges is detected', async () => {
  answer = (_request, response) => response.end('0123456789')

  await expect(storage.open('a', { start: 2, end: 3 })).rejects.toThrow('does not serve ranges')
})

test('a missing bucket is a fault, not a missing object', async () => {
  answer = (_request, response) =>
    response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchBucket</Code></Error>')

  await expect(storage.open('a')).rejects.toMatchObject({ name: 'NoSuchBucket' })
})

test('a failed check names the bucket, the operation and the answer in one sentence', async () => {
  answer = (_request, response) => denied(response)

  await expect(storage.check()).rejects.toThrow(/^the bucket bucket at http:\/\/127\.0\.0\.1:\d+: objects cannot be written: AccessDenied/)
})

test('content is sent under a signature of its hash', async () => {
  const hashes: unknown[] = []
  answer = (request, response) => {
    hashes.push(request.headers['x-amz-content-sha256'])
    response.setHeader('etag', '"1"').end()
  }

  const { sha256 } = await storage.put('a', Readable.from(['content']))

  expect(hashes).toEqual([sha256])
})

test('a checksum is sent with each object only where the address asks for it, as object lock requires', async () => {
  const checksums: unknown[] = []
  answer = (request, response) => {
    checksums.push(request.headers['x-amz-checksum-crc32'] ?? request.headers['x-amz-trailer'])
    response.setHeader('etag', '"1"').end()
  }
  const { port } = server.address() as AddressInfo
  const locked = s3Storage({ bucket: 'bucket', endpoint: `http://127.0.0.1:${port}`, sendsChecksums: true })

  await storage.put('a', Readable.from(['content']))
  await locked.put('a', Readable.from(['content']))
  await locked.close()

  expect(checksums).toEqual([undefined, expect.any(String)])
})
