import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJsonUpload } from '../../../src/rest/files/readJsonUpload.ts'
import { issueOf } from '../../support/refused.ts'

const never = new AbortController().signal

async function* chunked(body: Buffer, size: number): AsyncGenerator<Buffer, void, undefined> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size)
}

/** What an upload comes to: its base64, put together again, and the type beside it. */
async function read(body: string, size = 65_536): Promise<{ base64: string; mimeType: string | undefined; pieces: number }> {
  const upload = await readJsonUpload(chunked(Buffer.from(body), size), never)
  if (!('content' in upload)) return { base64: upload.base64 ?? '', mimeType: upload.mimeType, pieces: 0 }
  const { source, mimeType } = upload.content
  if (source.encoding !== 'base64') throw new Error('JSON carries base64')
  const texts = await Array.fromAsync(source.texts)
  return { base64: texts.join(''), mimeType: mimeType(), pieces: texts.length }
}

const long = 'QUJD'.repeat(150_000)

test.each([
  ['before its type', `{"base64":"${long}","mimeType":"image/png"}`],
  ['behind its type', `{"mimeType":"image/png","base64":"${long}"}`],
  ['with white space', ` {\n "mimeType" : "image/png" ,\r\n\t"base64" :\n "${long}" } `],
  ['with an escaped character in its type', `{"mimeType":"image\\/png","base64":"${long}"}`],
])('long base64 %s is streamed completely', async (_where, body) => {
  const found = await read(body)

  expect(found.base64 === long).toBe(true)
  expect(found.mimeType).toBe('image/png')
  expect(found.pieces).toBeGreaterThan(3)
})

test('escapes are resolved wherever a chunk ends', async () => {
  const escaped = 'QU\\/D\\u002b\\u0041\\u0041A'.repeat(20_000)
  const body = `{"base64":"${escaped}"}`
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 30_000, max: 70_000 }), async (size) => {
      const { base64 } = await read(body, size)
      expect(base64 === 'QU/D+AAA'.repeat(20_000)).toBe(true)
    }),
    { numRuns: 20 },
  )
})

test('a small and a large body give the same result', async () => {
  expect(await read('{"mimeType":"image/png","base64":"QUJD"}')).toEqual({ base64: 'QUJD', mimeType: 'image/png', pieces: 0 })
})

test.each([
  ['in a nested object', `{"mimeType":{"base64":"${long}"}}`],
  ['in a list', `[{"base64":"${long}"}]`],
  ['as a name', `{"${long}":1}`],
  ['as another field', `{"url":"${long}"}`],
])('a long text %s is not spooled', async (_where, body) => {
  await expect(read(body)).rejects.toMatchObject({ code: 'payload_too_large' })
})

test.each([
  ['an escaped quote in it', `{"base64":"${long}\\"","url":"x"}`, 'base64: conflict'],
  ['another of it', `{"base64":"${long}","base64":"QUJD"}`, 'base64: conflict'],
  ['the name spelt otherwise', `{"base64":"${long}","base6\\u0034":"QUJD"}`, 'base64: conflict'],
  ['no quote behind it', `{"base64":"${long}`, ': bad_format'],
  ['half an escape at its end', `{"base64":"${long}\\u00`, ': bad_format'],
  ['more behind the object', `{"base64":"${long}"}{}`, ': bad_format'],
  ['a NUL in its type', `{"base64":"${long}","mimeType":"image/png;\\u0000"}`, 'mimeType: bad_format'],
])('long base64 with %s is refused', async (_what, body, expected) => expect(await issueOf(read(body))).toBe(expected))

test('many short texts take no longer to scan than one long text', async () => {
  const length = 24 * 1024 * 1024
  const body = `{"a":[${'"",'.repeat(length / 3)}`
  // Whoever looked behind each for what ends it would be at it for hours.
  await expect(read(body, length)).rejects.toMatchObject({ code: 'payload_too_large' })
})
