import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { bodyWithPlaceholder, readLongJson } from '../../src/transport/readLongJson.ts'
import { refused } from '../support/refused.ts'

const path = ['params', 'arguments', 'base64']
const options = { path, bytesMax: limits.requestBodyBytes }

async function* inChunks(bytes: Buffer, sizes: readonly number[]) {
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function readWhole(bytes: Buffer, sizes: readonly number[]) {
  const body = await readLongJson(inChunks(bytes, sizes), options)
  if (Buffer.isBuffer(body)) return { message: JSON.parse(body.toString()), text: undefined, placeholder: undefined }
  const pieces = body.pieces()
  let text = ''
  let piece = await pieces.next()
  for (; !piece.done; piece = await pieces.next()) text += piece.value
  return { message: JSON.parse(bodyWithPlaceholder(body, piece.value).toString()), text, placeholder: body.placeholder }
}

/** Any JSON; names of the path may also occur elsewhere in it. */
const decoy = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"base64":"', '{"params":', '\\', '\\"', 1, null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...path, 'x'), tie('value'), { maxKeys: 3 }),
  ),
})).value

/** Writes some characters as escapes, as JSON libraries may. */
const escapings: Record<string, (text: string) => string> = {
  none: (text) => text,
  slashes: (text) => text.replaceAll('/', '\\/'),
  units: (text) => text.replaceAll('+', '\\u002b').replaceAll('B', '\\u0042'),
}

test('any message with a long string arrives unchanged, however it is split into chunks', async () => {
  const text = Buffer.from(Array.from({ length: 240_000 }, (_, index) => (index * 7919) % 251)).toString('base64')
  const chunks = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 4 }).map((sizes) => [...sizes, 30_011])
  const escaping = fc.constantFrom(...Object.keys(escapings))
  await fc.assert(
    fc.asyncProperty(decoy, decoy, escaping, fc.constantFrom(undefined, 1, 2), chunks, async (before, behind, name, space, sizes) => {
      const message = { before, params: { before, arguments: { before, base64: '~', behind }, behind }, behind }
      const written = JSON.stringify(message, undefined, space).replace('"~"', () => `"${escapings[name]?.(text)}"`)
      fc.pre(written.includes(`"${escapings[name]?.(text).slice(0, 40)}`) && !JSON.stringify(before).includes('"~"'))
      const read = await readWhole(Buffer.from(written), sizes)
      expect(read.text === text).toBe(true)
      expect(read.message).toEqual(
        JSON.parse(JSON.stringify({ ...message, params: { ...message.params, arguments: { before, base64: read.placeholder, behind } } })),
      )
    }),
    { numRuns: 40 },
  )
})

test('a message within the usual limit is returned unchanged', async () => {
  const message = { params: { arguments: { base64: 'A'.repeat(200_000) } } }
  expect(await readWhole(Buffer.from(JSON.stringify(message)), [1000])).toMatchObject({ message, text: undefined })
})

test.each([
  ['the names of the path in separate objects', (long: string) => ({ params: { x: 1 }, other: { arguments: { base64: long } } })],
  ['a list', (long: string) => ({ params: [{ arguments: { base64: long } }] })],
  ['only the last name of the path', (long: string) => ({ base64: long })],
])('a long string within %s is not at the path, and refused as too long', async (_what, written) => {
  const body = Buffer.from(JSON.stringify(written('A'.repeat(400_000))))
  expect(await refused(readWhole(body, [50_000]))).toMatchObject({ code: 'payload_too_large', details: { maxBytes: options.bytesMax } })
})
