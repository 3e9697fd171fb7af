import { expect, test } from 'vitest'
import { eventStream } from '../../src/rest/eventStream.ts'

/** Counts how far it was read, and whether it was told to stop. */
function counting(last: number) {
  const seen = { given: 0, returned: false }
  async function* values() {
    try {
      while (seen.given < last) yield { count: (seen.given += 1) }
    } finally {
      seen.returned = true
    }
  }
  return { seen, values: values() }
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

test('values become events whose numbers continue from Last-Event-ID', async () => {
  const text = await textOf(eventStream(counting(2).values, { event: 'generation', lastEventId: '7' }))
  expect(text).toBe('id: 8\nevent: generation\ndata: {"count":1}\n\nid: 9\nevent: generation\ndata: {"count":2}\n\n')
})

test('without a change the stream sends comments', async () => {
  const ended = Promise.withResolvers<void>()
  async function* values() {
    yield 1
    await ended.promise
  }
  const stream = eventStream(values(), { event: 'generation', lastEventId: undefined, commentMs: 5 })
  const lines: string[] = []
  for await (const chunk of stream) {
    lines.push(String(chunk).split('\n')[0] ?? '')
    if (lines.length === 4) ended.resolve()
  }
  expect(lines.slice(0, 4)).toEqual(['id: 1', ': still here', ': still here', ': still here'])
})

test('a slow client buffers at most two events, and a disconnect ends the source', async () => {
  const { seen, values } = counting(1000)
  const stream = eventStream(values, { event: 'generation', lastEventId: undefined })
  const reader = stream[Symbol.asyncIterator]()
  await reader.next()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(seen.given).toBeLessThanOrEqual(3)
  await reader.return?.()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(seen.returned).toBe(true)
})
