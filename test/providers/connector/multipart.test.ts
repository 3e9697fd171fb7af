import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type FormPart, multipart } from '../../../src/providers/connector/multipart.ts'

const content = Buffer.from([0, 13, 10, 45, 45, 255])
const parts: FormPart[] = [
  {
    name: 'image',
    fileName: 'kite.png',
    input: { mimeType: 'image/png', sizeBytes: content.length, open: async () => Readable.from([content]) },
  },
  { name: 'subfolder', value: 'höher' },
]

test('a form parses to its parts and has the declared length', async () => {
  const { headers, body } = multipart(parts, 'attempt')
  const bytes = await buffer(body)
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type'] } }).formData()
  const file = form.get('image') as File

  expect(headers['content-length']).toBe(String(bytes.length))
  expect([file.name, file.type, Buffer.from(await file.arrayBuffer())]).toEqual(['kite.png', 'image/png', content])
  expect(form.get('subfolder')).toBe('höher')
})

test('the same form of the same attempt has the same bytes', async () => {
  expect(await buffer(multipart(parts, 'attempt').body)).toEqual(await buffer(multipart(parts, 'attempt').body))
})

test('a name with quotes and line breaks cannot add a field', async () => {
  const name = 'a"\r\ncontent-type: text/html\r\n\r\n--b'
  const { headers, body } = multipart([{ name, value: 'x' }], 'attempt')
  const form = await new Response(new Uint8Array(await buffer(body)), { headers: { 'content-type': headers['content-type'] } }).formData()
  expect([...form.entries()]).toEqual([[name, 'x']])
})
