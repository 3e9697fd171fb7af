import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import { NotSent } from '../../../src/network/trustedRequest.ts'
import { jsonWithFiles } from '../../../src/providers/connector/jsonWithFiles.ts'

function fileOf(bytes: Uint8Array, size: number) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => Buffer.from(bytes.subarray(n * size, (n + 1) * size)))
  return { sizeBytes: bytes.length, open: async () => Readable.from(chunks) }
}

test('for all files and chunk sizes, the request has valid JSON of the declared length', async () => {
  const some = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(some, fc.jsonValue(), fc.integer({ min: 1, max: 20 }), async (contents, around, size) => {
      const make = (texts: readonly string[]): Json => ({
        prompt: 'file-0',
        around: around as Json,
        parts: texts.map((data) => ({ data })),
      })
      const files = contents.map((content) => fileOf(content, size))
      const { headers, body } = await jsonWithFiles(files, 'gen_x.1', make)
      const sent = await text(body)
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(sent))
      expect(JSON.parse(sent)).toEqual(JSON.parse(JSON.stringify(make(contents.map((content) => Buffer.from(content).toString('base64'))))))
    }),
    { numRuns: 200 },
  )
})

test('nothing is sent when a file cannot be opened, and the opened files are closed', async () => {
  const stream = Readable.from([Buffer.of(1)])
  const files = [
    { sizeBytes: 1, open: async () => stream },
    { sizeBytes: 1, open: () => Promise.reject(new Error('the storage is unavailable')) },
  ]
  await expect(jsonWithFiles(files, 'gen_x.1', (texts) => [...texts])).rejects.toBeInstanceOf(NotSent)
  expect(stream.destroyed).toBe(true)
})

test('the files of an aborted request are closed', async () => {
  const stream = Readable.from([Buffer.alloc(9)])
  const { body } = await jsonWithFiles([{ sizeBytes: 9, open: async () => stream }], 'gen_x.1', (texts) => [...texts])
  body.destroy()
  await expect.poll(() => stream.destroyed).toBe(true)
})
