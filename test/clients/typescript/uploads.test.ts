import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Atelier, FileProcessingFailed, type FileSource } from '../../../clients/typescript/src/index.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { json, refusal, scriptedServer } from './scriptedServer.ts'

const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)
const client = new Atelier({ baseUrl: `${app.origin}/api/v1`, key })

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
let folder = ''
let path = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-uploads-'))
  path = join(folder, 'a "picture".png')
  await writeFile(path, png)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const ways: Record<string, () => FileSource> = {
  'a path': () => ({ path, mimeType: 'image/png' }),
  'a Buffer': () => ({ content: png }),
  'an ArrayBuffer': () => ({ content: new Uint8Array(png).buffer, mimeType: 'image/png' }),
  'a Blob': () => ({ content: new Blob([png], { type: 'image/png' }), name: 'x.png' }),
  'a stream of Node': () => ({ content: createReadStream(path), mimeType: 'image/png' }),
  'a stream of the web': () => ({ content: new Blob([png]).stream(), name: 'line\r\n"end".png' }),
  'an iterable': () => ({ content: inPieces(png) }),
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

test.for(Object.keys(ways))('a file can be uploaded from %s', async (way) => {
  const source = ways[way]?.() as FileSource
  const file = await client.uploadFile(source)
  expect(file).toMatchObject({ state: 'ready', type: 'image', mimeType: 'image/png', sizeBytes: png.length, usableIn: ['imageIds'] })
  expect(await client.getFile(file.fileId)).toMatchObject({ fileId: file.fileId })
})

test('a file can be uploaded by its address, which the service fetches', async () => {
  const refused = client.uploadFile({ url: 'http://10.0.0.1/a.png', mimeType: 'image/png' })
  await expect(refused).rejects.toMatchObject({ code: 'file_fetch_failed', details: { cause: 'private_address' } })
})

test('content of another type and content that is too large are refused with a message', async () => {
  await expect(client.uploadFile({ path, mimeType: 'video/mp4' })).rejects.toMatchObject({ code: 'unsupported_file_format', status: 415 })
  const endless = {
    content: (async function* () {
      for (;;) yield new Uint8Array(1 << 20)
    })(),
  }
  await expect(client.uploadFile(endless)).rejects.toMatchObject({ code: 'payload_too_large', details: { maxBytes: 26_214_400 } })
})

test('an unreadable path throws the error of the file system, and nothing is sent', async () => {
  const { client: other, requests } = await scriptedServer([json(201, {})])
  await expect(other.uploadFile({ path: join(folder, 'nowhere.png') })).rejects.toMatchObject({ code: 'ENOENT' })
  expect(requests).toEqual([])
})

const busy = refusal(429, 'too_many_concurrent', { retryable: true, headers: { 'Retry-After': '1' } })

test.for(['a path', 'a Buffer', 'a Blob'])('the whole of %s is sent again after a temporary refusal', async (way) => {
  const { client: other, requests } = await scriptedServer([busy, busy, json(201, { fileId: 'file_1' })])
  await other.uploadFile(ways[way]?.() as FileSource)
  expect(requests.map(({ body }) => body.includes(png))).toEqual([true, true, true])
})

test('a stream is sent once, because it can be read once', async () => {
  const { client: other, requests } = await scriptedServer([busy])
  await expect(other.uploadFile({ content: createReadStream(path) })).rejects.toMatchObject({
    code: 'too_many_concurrent',
    retryable: true,
  })
  expect(requests).toHaveLength(1)
})

test('a stream error ends the upload, and an upload error ends the stream', async () => {
  const fault = new Error('the disk is gone')
  const broken = {
    content: (async function* () {
      yield png
      throw fault
    })(),
  }
  await expect(client.uploadFile(broken)).rejects.toMatchObject({ code: 'connection_failed', cause: expect.anything() })

  const closed = Promise.withResolvers<void>()
  const controller = new AbortController()
  async function* untilClosed(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let count = 0; ; count++) {
        yield new Uint8Array(1 << 16)
        if (count === 2) controller.abort(new Error('enough'))
      }
    } finally {
      closed.resolve()
    }
  }
  await expect(client.uploadFile({ content: untilClosed() }, { signal: controller.signal })).rejects.toThrow('enough')
  await closed.promise
})

test('a stream of unknown length is read only as fast as it is sent', async () => {
  let taken = 0
  async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      taken++
      yield new Uint8Array(1 << 20)
    }
  }
  let body: ReadableStream<Uint8Array> | undefined
  const fetch = async (_: unknown, init?: RequestInit & { duplex?: string }) => {
    body = init?.body as ReadableStream<Uint8Array>
    expect([init?.duplex, new Headers(init?.headers).get('content-length')]).toEqual(['half', null])
    const reader = body.getReader()
    for (let count = 0; count < 10; count++) await reader.read()
    return Response.json({ fileId: 'file_1' }, { status: 201 })
  }
  const other = new Atelier({ baseUrl: 'http://service', key: 'atl_key', fetch })
  expect(await other.uploadFile({ content: endless() })).toEqual({ fileId: 'file_1' })
  expect(taken).toBeLessThan(13)
})

test.for<[string, number[]]>([
  ['a path', [png.length]],
  ['an iterable', [...Array.from({ length: 10 }, (_, index) => 7 * (index + 1))].filter((bytes) => bytes < png.length)],
  ['a Buffer', [png.length]],
])('the progress of %s is reported to its end', async ([way, expected]) => {
  const told: number[] = []
  await client.uploadFile(ways[way]?.() as FileSource, { onUploadProgress: (bytes) => void told.push(bytes) })
  expect(told).toEqual(told.toSorted((left, right) => left - right))
  expect(told).toEqual(expect.arrayContaining(expected))
  expect(told.at(-1)).toBe(png.length)
})

test('progress starts again when an upload is repeated', async () => {
  const told: number[] = []
  const { client: other } = await scriptedServer([busy, json(201, { fileId: 'file_1', sizeBytes: png.length })])
  await other.uploadFile({ path }, { onUploadProgress: (bytes) => void told.push(bytes) })
  expect(told).toEqual([png.length, png.length])
})

test('waitForFile waits until a file is usable, or throws why it cannot be used', async () => {
  const processing = json(200, { fileId: 'file_1', state: 'processing', pollAfterSeconds: 2 })
  const ready = { fileId: 'file_1', state: 'ready' }
  const slow = await scriptedServer([processing, processing, json(200, ready)])
  expect(await slow.client.waitForFile('file_1')).toEqual(ready)
  expect(slow.pauses).toEqual([2, 2])

  const error = { code: 'file_processing_failed', message: 'No.', retryable: false, details: { fileId: 'file_1', cause: 'truncated' } }
  const broken = await scriptedServer([json(200, { fileId: 'file_1', state: 'failed', error })])
  const thrown: unknown = await broken.client.waitForFile('file_1').catch((reason: unknown) => reason)
  expect(thrown).toBeInstanceOf(FileProcessingFailed)
  expect(thrown).toMatchObject({ kind: 'request', details: { cause: 'truncated' } })

  const endless = await scriptedServer([processing])
  await expect(endless.client.waitForFile('file_1', { timeoutSeconds: 3 })).rejects.toMatchObject({
    code: 'timed_out',
    details: { fileId: 'file_1' },
  })
  expect(endless.pauses).toEqual([2, 1])
})
