import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import { makeCooperativeScheduler } from '../../src/concurrency/cooperativeScheduler.ts'
import { serializeJson } from '../../src/graphql/serializeJson.ts'

const scheduler = makeCooperativeScheduler(10)

test.each([
  [
    'an answer',
    { data: Object.assign(Object.create(null), { a: [1, null, undefined, 'ä"\n\u0001😀'], b: {}, c: [], d: undefined, e: true }) },
  ],
  ['errors, which say themselves how they are written', { errors: [new GraphQLError('no', { path: ['a'] })], at: new Date(0) }],
  ['a text', 'x'],
  ['nothing', null],
  ['a member called __proto__', JSON.parse('{"__proto__": {"a": [[{}]]}}')],
  ['something long', Array.from({ length: 5000 }, (_, index) => ({ id: index, text: 'x'.repeat(100) }))],
])('%s is serialized like JSON.stringify', async (_what, value) => {
  expect((await serializeJson(value, { scheduler, bytesMax: 10_000_000 }))?.toString()).toBe(JSON.stringify(value))
})

test('the limit counts bytes, not characters', async () => {
  const value = ['\u0001'.repeat(100), '€'.repeat(100)]
  const bytes = Buffer.byteLength(JSON.stringify(value))
  expect((await serializeJson(value, { scheduler, bytesMax: bytes }))?.length).toBe(bytes)
  expect(await serializeJson(value, { scheduler, bytesMax: bytes - 1 })).toBeUndefined()
})

test('serialization stops when a response is too long', async () => {
  let read = 0
  const value = Array.from({ length: 1000 }, () =>
    Object.defineProperty({}, 'text', { enumerable: true, get: () => `${(read += 1)}`.repeat(10_000) }),
  )
  expect(await serializeJson(value, { scheduler, bytesMax: 1_000_000 })).toBeUndefined()
  expect(read).toBeLessThan(200)
})
