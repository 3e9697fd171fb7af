import { expect, test } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import { getNumberAtPath, getPath, getTextAtPath, place, places, setPath } from '../../../src/providers/connector/jsonPath.ts'

test('what is put at a place is found there, and nothing else is touched', () => {
  const fields: { [key: string]: Json } = { image_size: { height: 512 } }

  setPath(fields, 'image_size.width', 768)
  setPath(fields, 'seed', 7)

  expect(fields).toEqual({ image_size: { height: 512, width: 768 }, seed: 7 })
  expect(getPath(fields, 'image_size.width')).toEqual([768])
})

test('a star finds every item in its order, and what is missing is nothing', () => {
  const answer = { images: [{ url: 'a' }, { width: 1 }, { url: 'b' }], video: null }

  expect(getPath(answer, 'images.*.url')).toEqual(['a', 'b'])
  expect(getPath(answer, 'images.1.width')).toEqual([1])
  expect(getPath(answer, 'video.url')).toEqual([])
  expect(getPath(answer, 'images.length')).toEqual([])
  expect(getPath(undefined, 'images')).toEqual([])
})

test.each(['', '.', 'a..b', 'a.__proto__.b', 'constructor', 'a b', 'images.*.url'])('%j is no place to put anything', (text) => {
  expect(place.safeParse(text).success).toBe(false)
})

test('a place for reading takes stars, and no way out of the data either', () => {
  expect(places.safeParse('images.*.url').success).toBe(true)
  expect(places.safeParse('images.*.__proto__').success).toBe(false)
})

test('the first text or number is found among other values, and nothing where there is none', () => {
  const answer = { details: [{ reason: 7 }, { reason: 'spent' }], count: 0 }
  expect(getTextAtPath(answer, 'details.*.reason')).toBe('spent')
  expect(getNumberAtPath(answer, 'details.*.reason')).toBe(7)
  expect(getNumberAtPath(answer, 'count')).toBe(0)
  expect([getTextAtPath(answer, 'count'), getNumberAtPath(answer, 'price'), getTextAtPath(undefined, 'count')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
