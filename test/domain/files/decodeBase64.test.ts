import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64, slicesOf } from '../../../src/domain/files/decodeBase64.ts'
import { issueOf } from '../../support/refused.ts'

async function decoded(texts: Iterable<string>): Promise<{ bytes: Buffer; prefixes: string[] }> {
  const prefixes: string[] = []
  const chunks = await Array.fromAsync(
    decodeBase64(texts, (mimeType) => prefixes.push(mimeType)),
    (chunk) => Buffer.from(chunk),
  )
  return { bytes: Buffer.concat(chunks), prefixes }
}

/** Splits the text at the given positions. */
function splitAt(text: string, places: number[]): string[] {
  const starts = [0, ...places.map((place) => place % (text.length + 1)), text.length].toSorted((left, right) => left - right)
  return starts.slice(1).map((end, index) => text.slice(starts[index], end))
}

test('any bytes are decoded, however the text is split, with or without a data prefix', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(400)), fc.boolean(), async (bytes, places, isPrefixed) => {
      const text = `${isPrefixed ? 'data:image/png;base64,' : ''}${Buffer.from(bytes).toString('base64')}`

      const found = await decoded(splitAt(text, places))

      expect(found.bytes).toEqual(Buffer.from(bytes))
      expect(found.prefixes).toEqual(isPrefixed ? ['image/png'] : [])
    }),
  )
})

test('one invalid character at any position is refused, however the text is split', async () => {
  const foreign = fc.constantFrom('!', ' ', '\n', '-', '_', '=', '\0', 'é', 'Ł', '\u{1f600}', ',')
  const text = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  await fc.assert(
    fc.asyncProperty(text, foreign, fc.nat(), fc.array(fc.nat(100)), async (good, character, place, places) => {
      const at = place % good.length
      fc.pre(good[at] !== '=')
      const bad = good.slice(0, at) + character + good.slice(at + 1)
      fc.pre(!isWellPadded(bad))

      expect(await issueOf(decoded(splitAt(bad, places)))).toBe('base64: bad_format')
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
  expect((await decoded(['DATA:image/PNG;charset=x;BASE64,AAAA'])).prefixes).toEqual(['image/PNG'])
  expect((await decoded(['data:;base64,AAAA'])).prefixes).toEqual([])
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

/** True when a padding character replaces the last or second last character. */
function isWellPadded(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && !text.slice(-4).startsWith('=')
}
