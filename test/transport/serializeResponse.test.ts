import { expect, test } from 'vitest'
import { serializeResponse } from '../../src/transport/serializeResponse.ts'

const long = 'x'.repeat(70_000)

test.each([
  ['a list', { items: [{ a: 1 }, null, 'é', [1]], nextCursor: null }],
  ['an empty list', { items: [], nextCursor: 'abc' }],
  ['a list behind other members', { a: undefined, b: 1, items: [1], c: new Date(0) }],
  ['a list of long items', { items: [long, 'é', long, { long }], nextCursor: null }],
  ['items that are no list', { items: { a: 1 } }],
  ['an object', { a: [1], b: undefined }],
  ['a long object', { long }],
  ['nothing', null],
])('%s is serialized like JSON.stringify does', async (_what, body) => {
  expect(String(await serializeResponse(body))).toBe(JSON.stringify(body))
})

test('long responses are bytes, and short ones are text', async () => {
  expect(await serializeResponse({ items: [long] })).toBeInstanceOf(Buffer)
  expect(await serializeResponse({ long })).toBeInstanceOf(Buffer)
  expect(typeof (await serializeResponse({ items: ['short'] }))).toBe('string')
})

test('other work runs between the items of long lists', async () => {
  const lists = Array.from({ length: 5 }, () => serializeResponse({ items: Array.from({ length: 60 }, () => '\u0001'.repeat(50_000)) }))
  let turns = 0
  let goesOn = true
  const next = () => {
    turns += 1
    if (goesOn) setImmediate(next)
  }
  setImmediate(next)
  await Promise.all(lists)
  goesOn = false
  expect(turns).toBeGreaterThan(5)
})
