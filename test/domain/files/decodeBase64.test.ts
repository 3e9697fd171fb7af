import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64, slicesOf } from '../../../src/domain/files/decodeBase64.ts'
import { issueOf } from '../../support/refused.ts'

async function decoded(texts: Iterable<string>): Promise<{ bytes: Buffer; mimeTypes: string[] }> {
  const mimeTypes: string[] = []
  const chunks = await Array.fromAsync(
    decodeBase64(texts, (mimeType) => mimeTypes.push(mimeType)),
    (chunk) => Buffer.from(chunk),
  )
  return { bytes: Buffer.concat(chunks), mimeTypes }
}

/** Splits the text at the positions. A position beyond its end wraps around. */
function splitAt(text: string, positions: number[]): string[] {
  const starts = [0, ...positions.map((position) => position % (text.length + 1)), text.length].toSorted((left, right) => left - right)
  return starts.slice(1).map((end, index) => text.slice(starts[index], end))
}

test('any bytes are decoded, however the text is split, with or without a data prefix', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(400)), fc.boolean(), async (bytes, splits, isPrefixed) => {
      const text = `${isPrefixed ? 'data:image/png;base64,' : ''}${Buffer.from(bytes).toString('base64')}`

      const decodedText = await decoded(splitAt(text, splits))

      expect(decodedText.bytes).toEqual(Buffer.from(bytes))
      expect(decodedText.mimeTypes).toEqual(isPrefixed ? ['image/png'] : [])
    }),
  )
})

test('one invalid character at any position is refused, however the text is split', async () => {
  const invalidCharacter = fc.constantFrom('!', ' ', '\n', '-', '_', '=', '\0', 'é', 'Ł', '\u{1f600}', ',')
  const text = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  await fc.assert(
    fc.asyncProperty(text, invalidCharacter, fc.nat(), fc.array(fc.nat(100)), async (valid, character, position, splits) => {
      const at = position % valid.length
      fc.pre(valid[at] !== '=')
      const invalid = valid.slice(0, at) + character + valid.slice(at + 1)
      fc.pre(!isPadded(invalid))

      expect(await issueOf(decoded(splitAt(invalid, splits)))).toBe('base64: bad_format')
    }),
  )
})

const longPrefix = `data:${'x'.repeat(2000)};base64,AAAA`
test.each([
  'A',
  'AA',
  'AAA',
  'AAAAA',
  'A===',
  '====',
  'AA=A',
  'AA==AAAA',
  'AAA=AAA=',
  'data:',
  'data:,AAAA',
  'data:x,AAAA',
  'data:base64,',
  longPrefix,
])('%j is not base64', async (text) => {
  expect(await issueOf(decoded([text]))).toBe('base64: bad_format')
})

test('the type of a data prefix is returned without its parameters, for any letter case', async () => {
  expect((await decoded(['DATA:image/PNG;charset=x;BASE64,AAAA'])).mimeTypes).toEqual(['image/PNG'])
  expect((await decoded(['data:;base64,AAAA'])).mimeTypes).toEqual([])
})

test('an empty text is decoded to zero bytes', async () => {
  expect((await decoded([''])).bytes).toHaveLength(0)
  expect((await decoded([])).bytes).toHaveLength(0)
})

test('a long text is decoded in pieces', async () => {
  const text = Buffer.alloc(3_000_000, 7).toString('base64')
  const chunks = await Array.fromAsync(
    decodeBase64(slicesOf(text), () => undefined),
    (chunk) => Buffer.from(chunk),
  )
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(300_000)
  expect(Buffer.concat(chunks).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
})

/** True for base64 whose only `=` are at most two at its end: a text in which `=` replaced one of the last characters can be valid. */
function isPadded(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}
