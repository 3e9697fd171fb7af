import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMultipart } from '../../../src/rest/files/readMultipart.ts'
import { issueOf } from '../../support/refused.ts'

async function* chunked(body: Buffer, places: number[]): AsyncGenerator<Buffer, void, undefined> {
  const starts = [0, ...places.map((place) => place % (body.length + 1)), body.length].toSorted((left, right) => left - right)
  for (const [index, end] of starts.slice(1).entries()) yield body.subarray(starts[index], end)
}

async function partsOf(body: Buffer, boundary: string, places: number[] = []): Promise<[string, Buffer][]> {
  const parts: [string, Buffer][] = []
  for await (const { name, chunks } of readMultipart(chunked(body, places), boundary)) {
    parts.push([name, Buffer.concat(await Array.fromAsync(chunks))])
  }
  return parts
}

const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n`

/** Content that is full of what looks like a boundary. */
const tricky = (boundary: string) =>
  fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
        fc.constantFrom('\r', '\n', '\r\n', '--', '\r\n-', '\r\n--', `\r\n--${boundary.slice(0, -1)}`).map((text) => Buffer.from(text)),
      ),
    )
    .map((pieces) => Buffer.concat(pieces))
    .filter((content) => !`\r\n${content.toString('latin1')}`.includes(`\r\n--${boundary}`))

test('every part is read unchanged, for every split into chunks', async () => {
  const boundary = 'b-12'
  const parts = fc.array(fc.tuple(fc.constantFrom('file', 'mimeType', 'é', 'a;b'), tricky(boundary)), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(parts, fc.array(fc.nat(2000)), fc.constantFrom('', 'a preamble\r\n'), async (sent, places, preamble) => {
      const pieces = sent.flatMap(([name, content]) => [`--${boundary}\r\n${disposition(name)}`, content, '\r\n'])
      const body = Buffer.concat([preamble, ...pieces, `--${boundary}--`, '\r\nan epilogue'].map((piece) => Buffer.from(piece as string)))

      const found = await partsOf(body, boundary, places)

      expect(found.map(([name, content]) => [name, content.toString('hex')])).toEqual(
        sent.map(([name, content]) => [name, content.toString('hex')]),
      )
    }),
  )
})

test('an unread part is skipped', async () => {
  const body = Buffer.from(`--b\r\n${disposition('first')}${'x'.repeat(1000)}\r\n--b\r\n${disposition('second')}y\r\n--b--`)
  const names: string[] = []

  for await (const { name } of readMultipart(chunked(body, [100, 500]), 'b')) names.push(name)

  expect(names).toEqual(['first', 'second'])
})

test('a body truncated at any byte is refused', async () => {
  const body = Buffer.from(`--b\r\n${disposition('file')}content\r\n--b--`)
  for (let length = 0; length < body.length; length += 1) {
    expect(await issueOf(partsOf(body.subarray(0, length), 'b'))).toBe(': bad_format')
  }
})

test.each([
  ['a name in any letter case, unquoted, behind others', 'content-disposition: FORM-DATA; filename="a;name=x"; NAME=file', 'file'],
  ['an escaped quote', 'Content-Disposition: form-data; name="a\\"b"', 'a"b'],
  ['a folded line', 'Content-Disposition: form-data;\r\n name="file"', 'file'],
  ['an empty name', 'Content-Disposition: form-data; name=""', ''],
])('%s is accepted', async (_what, header, expected) => {
  const body = Buffer.from(`--b\r\n${header}\r\n\r\ncontent\r\n--b--`)
  expect((await partsOf(body, 'b'))[0]?.[0]).toBe(expected)
})

test.each([
  ['two names', 'Content-Disposition: form-data; name="file"; name="mimeType"'],
  ['another disposition', 'Content-Disposition: attachment; name="file"'],
  ['no disposition', 'Content-Type: image/png'],
  ['a file name alone', 'Content-Disposition: form-data; filename="name=file"'],
  ['an encoding', `${disposition('file').trim()}\r\nContent-Transfer-Encoding: quoted-printable`],
])('a part with %s is refused', async (_what, header) => {
  const body = Buffer.from(`--b\r\n${header}\r\n\r\ncontent\r\n--b--`)
  expect(await issueOf(partsOf(body, 'b'))).toBe(': bad_format')
})

test('a longer line that starts like the boundary is refused', async () => {
  const body = Buffer.from(`--b\r\n${disposition('file')}one\r\n--bb\r\n${disposition('file')}two\r\n--b--`)
  expect(await issueOf(partsOf(body, 'b'))).toBe(': bad_format')
})
