import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import { readBase64Json } from '../../../src/providers/outputs/readBase64Json.ts'
import { UnfitOutput } from '../../../src/providers/provider.ts'

const names = ['b64_json']

/** Reads an answer that comes in pieces of `size` bytes; the bytes of each file, and what stood around them. */
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

test('every file comes whole and the JSON around it is as it was, however the answer is cut', async () => {
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

test.each(['data:image/png;base64,', 'data:;base64,', ''])('what stands before the bytes is no part of them: %j', async (prefix) => {
  const { files } = await read(JSON.stringify({ b64_json: `${prefix}${Buffer.from('some bytes').toString('base64')}` }), 3)
  expect(files).toEqual([Buffer.from('some bytes')])
})

test('a name alone makes no file: not as a value, not with nothing, not with another kind of value', async () => {
  const answer = { a: 'b64_json', b64_json: null, list: ['b64_json', ':', { b64_json: { b64_json: 4 } }] }
  expect(await read(JSON.stringify(answer, null, 2))).toEqual({ files: [], json: answer })
})

test('a file that nobody reads is given up beyond 150 MB, and so is the answer', async () => {
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

test('what nobody reads is passed over, and what is no JSON is nothing', async () => {
  const answer = JSON.stringify({ data: [{ b64_json: 'A'.repeat(100_000) }, { b64_json: 'AAAA' }], usage: 3 })
  const json = await readBase64Json(inPieces(Buffer.from(answer), 1000), {
    names,
    take: async (bytes) => (await bytes.next()).done ?? false,
  })
  expect(json).toEqual({ data: [{ b64_json: false }, { b64_json: false }], usage: 3 })
  expect(await read('<html>"b64_json": "AAAA"</html>')).toEqual({ files: [Buffer.alloc(3)], json: undefined })
})

test('more text around the files than any answer has is given up, and an answer that is cut off is no answer', async () => {
  await expect(read(JSON.stringify({ message: 'x'.repeat(2_000_000) }), 65_536)).rejects.toBeInstanceOf(UnfitOutput)
  async function* cut() {
    yield Buffer.from('{"b64_json":"AAAA')
    throw new Error('the line went dead')
  }
  const take = async (bytes: AsyncGenerator<Buffer>) => (await Array.fromAsync(bytes)).length
  await expect(readBase64Json(Readable.from(cut()), { names, take })).rejects.toThrow('the line went dead')
})

test('a text that ends with the answer, and not with a quote, is no file of an answer', async () => {
  expect((await read('{"b64_json":"AAAA')).json).toBeUndefined()
})

test('a long text that nobody wants is passed over, however long it is, and what comes after it is read', async () => {
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

test('nothing of what came is held on to: a few bytes around a file keep none of it in memory', async () => {
  const chunks = [0, 1, 2].map((n) => `${n === 0 ? '[' : ','}{"at":${n},"b64_json":"${Buffer.from(`file ${n}`).toString('base64')}"}`)
  const reused = Buffer.alloc(100)
  async function* oneBuffer(): AsyncGenerator<Buffer> {
    for (const chunk of [...chunks, ']']) yield reused.subarray(0, reused.write(chunk))
  }
  const json = await readBase64Json(oneBuffer(), { names, take: async (bytes) => Buffer.concat(await Array.fromAsync(bytes)).toString() })
  expect(json).toEqual([0, 1, 2].map((at) => ({ at, b64_json: `file ${at}` })))
})
