import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { makeDocumentCache } from '../../src/graphql/documentCache.ts'

test('new documents replace old ones in the cache', () => {
  const cache = makeDocumentCache(100)
  const document = parse('{ viewer { kind } }')
  const text = (index: number) => String(index).padStart(10, '0')
  for (let index = 0; index < 1000; index++) cache.set(text(index), document)
  const kept = Array.from({ length: 1000 }, (_, index) => text(index)).filter((each) => cache.get(each))
  expect(kept).toEqual(Array.from({ length: 10 }, (_, index) => text(990 + index)))
  cache.set('x'.repeat(11), document)
  expect(cache.get('x'.repeat(11))).toBeUndefined()
  expect(cache.get(text(995))).toBe(document)
  for (let index = 0; index < 9; index++) cache.set(text(index), document)
  expect(cache.get(text(995))).toBe(document)
  expect(cache.get(text(996))).toBeUndefined()
})
