import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import { readBase64Json } from '../../../src/providers/outputs/readBase64Json.ts'
import { UnfitOutput } from '../../../src/providers/provider.ts'

const names = ['b64_json']

/** Reads an answer in chunks of `size` bytes. Returns the bytes of each file and the JSON around them. */
async function read(answer: string, size = 7): Promise<{ files: Buffer[]; json: Json | undefined }> {
  const files: Buffer[] = []
  const json = await readBase64Json(inPieces(Buffer.from(answer), size), {
    names,
    async take(bytes) {
      files.push(Buffer.concat(await Array.fromAsync(bytes)))
      return files.length
    },
  })
  return { files, json }
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('every file is complete and the JSON around it unchanged, for any chunk size', async () => {
  const around = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('b64_json'))
  const files = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(around, files, fc.integer({ min: 1, max: 90 }), fc.boolean(), async (rest, contents, size, isEscaped) => {
      const data = contents.map((content) => ({ b64_json: Buffer.from(content).toString('base64') }))
      const text = JSON.stringify({ rest, data, 'q"\\': 'b64_json' })
      const answer = await read(isEscaped ? text.replaceAll('/', '\\/') : text, size)
      expect(answer.files).toEqual(contents.map((content) => Buffer.from(content)))
      expect(answer.json).toEqual(
        JSON.parse(JSON.stringify({ rest, data: data.map((_, at) => ({ b64_json: at + 1 })), 'q"\\': 'b64_json' })),
      )
    }),
    { numRuns: 300 },
  )
})

test.each(['data:image/png;base64,', 'data:;base64,', ''])('the prefix %j is not part of the bytes', async (prefix) => {
  const { files } = await read(JSON.stringify({ b64_json: `${prefix}${Buffer.from('some bytes').toString('base64')}` }), 3)
  expect(files).toEqual([Buffer.from('some bytes')])
})

test('a file name as a value, or with a value that is not a text, is not a file', async () => {
  const answer = { a: 'b64_json', b64_json: null, list: ['b64_json', ':', { b64_json: { b64_json: 4 } }] }
  expect(await read(JSON.stringify(answer, null, 2))).toEqual({ files: [], json: answer })
})

test('an unread file above 150 MB rejects, and so does the answer', async () => {
  const megabyte = Buffer.alloc(1_400_000, 'A')
  let sent = 0
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"b64_json":"')
    for (; sent < 1000; sent += 1) yield megabyte
  }
  const read = readBase64Json(endless(), { names, take: async (bytes) => (await bytes.next()).done ?? false })
  await expect(read).rejects.toBeInstanceOf(UnfitOutput)
  expect(sent).toBeLessThan(155)
})

test('unread bytes are skipped, and text that is not JSON resolves with undefined', async () => {
  const answer = JSON.stringify({ data: [{ b64_json: 'A'.repeat(100_000) }, { b64_json: 'AAAA' }], usage: 3 })
  const json = await readBase64Json(inPieces(Buffer.from(answer), 1000), {
    names,
    take: async (bytes) => (await bytes.next()).done ?? false,
  })
  expect(json).toEqual({ data: [{ b64_json: false }, { b64_json: false }], usage: 3 })
  expect(await read('<html>"b64_json": "AAAA"</html>')).toEqual({ files: [Buffer.alloc(3)], json: undefined })
})

test('too much text around the files rejects, and so does an answer that breaks off', async () => {
  await expect(read(JSON.stringify({ message: 'x'.repeat(2_000_000) }), 65_536)).rejects.toBeInstanceOf(UnfitOutput)
  async function* cut() {
    yield Buffer.from('{"b64_json":"AAAA')
    throw new Error('connection reset')
  }
  const take = async (bytes: AsyncGenerator<Buffer>) => (await Array.fromAsync(bytes)).length
  await expect(readBase64Json(Readable.from(cut()), { names, take })).rejects.toThrow('connection reset')
})

test('an answer that ends inside a file is not an answer', async () => {
  expect((await read('{"b64_json":"AAAA')).json).toBeUndefined()
})

test('a skipped text of any length is dropped, and the text after it is read', async () => {
  const answer = JSON.stringify({ signature: 'A'.repeat(3_000_000), parts: [{ signature: 'QUJD', b64_json: 'QUJD' }] })
  const files: Buffer[] = []

  const json = await readBase64Json(inPieces(Buffer.from(answer), 65_536), {
    names,
    passOver: ['signature'],
    async take(bytes) {
      files.push(Buffer.concat(await Array.fromAsync(bytes)))
      return true
    },
  })

  expect(files).toEqual([Buffer.from('ABC')])
  expect(json).toEqual({ signature: '', parts: [{ signature: '', b64_json: true }] })
})

test('the few bytes around a file keep no chunk in memory', async () => {
  const chunks = [0, 1, 2].map((n) => `${n === 0 ? '[' : ','}{"at":${n},"b64_json":"${Buffer.from(`file ${n}`).toString('base64')}"}`)
  const reused = Buffer.alloc(100)
  async function* oneBuffer(): AsyncGenerator<Buffer> {
    for (const chunk of [...chunks, ']']) yield reused.subarray(0, reused.write(chunk))
  }
  const json = await readBase64Json(oneBuffer(), { names, take: async (bytes) => Buffer.concat(await Array.fromAsync(bytes)).toString() })
  expect(json).toEqual([0, 1, 2].map((at) => ({ at, b64_json: `file ${at}` })))
})
