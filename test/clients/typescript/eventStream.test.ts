import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEventStream, type ServerEvent } from '../../../clients/typescript/src/http/eventStream.ts'

async function eventsIn(...chunks: (string | Uint8Array)[]): Promise<ServerEvent[]> {
  async function* bytes() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
  }
  return await Array.fromAsync(readEventStream(bytes()))
}

function message(data: string, changes: Partial<ServerEvent> = {}): ServerEvent {
  return { type: 'message', data, lastEventId: '', retrySeconds: undefined, ...changes }
}

test.for<[string, string, ServerEvent[]]>([
  [
    'an event of all fields',
    'event: generation\nid: 7\nretry: 1500\ndata: {}\n\n',
    [message('{}', { type: 'generation', lastEventId: '7', retrySeconds: 1.5 })],
  ],
  ['data of several lines', 'data: a\ndata\ndata:  b\n\n', [message('a\n\n b')]],
  ['empty data', 'data\n\n', [message('')]],
  ['no data', 'event: generation\nid: 7\n\ndata: a\n\n', [message('a', { lastEventId: '7' })]],
  ['lines that end in CRLF', 'event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n', [message('a', { type: 'x' }), message('b')]],
  ['lines that end in CR', 'data: a\rdata: b\r\r', [message('a\nb')]],
  ['lines that end in all ways', 'data: a\ndata: b\r\ndata: c\r\r\n', [message('a\nb\nc')]],
  ['a byte order mark', '\uFEFFdata: a\n\n', [message('a')]],
  ['a second byte order mark, which belongs to a name', '\uFEFF\uFEFFdata: a\n\ndata: b\n\n', [message('b')]],
  ['comments', ': hello\n:\n\ndata: a\n: data: b\n\n', [message('a')]],
  ['colons in values', 'data:a: b\n\n', [message('a: b')]],
  ['unknown names', 'Data: a\nconstructor: b\n data: c\ndata: d\n\n', [message('d')]],
  [
    'an identifier that stays',
    'id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n',
    [message('a', { lastEventId: '1' }), message('b', { lastEventId: '1' }), message('c')],
  ],
  ['an invalid identifier', 'id: 1\nid: 2\0\ndata: a\n\n', [message('a', { lastEventId: '1' })]],
  ['a retry delay that is not a number', 'retry: 1s\nretry: -1\nretry:\ndata: a\n\n', [message('a')]],
  ['a stream that ends in the middle', 'data: a\n\ndata: b\n', [message('a')]],
  ['letters of all lengths', 'data: Ä ✓ 𝄞\n\n', [message('Ä ✓ 𝄞')]],
])('%s: parsed by the standard, however the bytes are split', async ([, text, expected]) => {
  expect(await eventsIn(text)).toEqual(expected)
  const bytes = new TextEncoder().encode(text)
  expect(await eventsIn(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 4 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((left, right) => left - right), bytes.length]
      const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
      expect(await eventsIn(...chunks)).toEqual(expected)
    }),
    { numRuns: 30 },
  )
})

test('an event is emitted as soon as its last line has ended', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const events = readEventStream(readable as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>)
  void writer.write(new TextEncoder().encode('data: a\r\n\r'))
  expect((await events.next()).value).toMatchObject({ data: 'a' })
  void writer.write(new TextEncoder().encode('\ndata: b\r\n\r'))
  expect((await events.next()).value).toMatchObject({ data: 'b' })
})

test.for([
  ['a line', 'x'.repeat(65_536)],
  ['data', `data: ${'x'.repeat(65_529)}\n`],
  ['empty lines', 'data\n'.repeat(13_000)],
])('%s without an end is refused, and scanned once', async ([, text = '']) => {
  const chunk = new TextEncoder().encode(text)
  const begun = process.cpuUsage()
  await expect(eventsIn(...Array.from({ length: 2000 }, () => chunk))).rejects.toThrow('too large')
  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(3)
})

test('consecutive events are not limited in total', async () => {
  const chunk = new TextEncoder().encode(`data: ${'x'.repeat(65_536)}\n\n`)
  expect(await eventsIn(...Array.from({ length: 200 }, () => chunk))).toHaveLength(200)
})
