import { expect, test } from 'vitest'
import type { Json } from '../../../src/contract/json.ts'
import { getNumberAtPath, getPath, getTextAtPath, place, places, setPath } from '../../../src/providers/connector/jsonPath.ts'

test('a value set at a path is found there, and nothing else changes', () => {
  const fields: { [key: string]: Json } = { image_size: { height: 512 } }

  setPath(fields, 'image_size.width', 768)
  setPath(fields, 'seed', 7)

  expect(fields).toEqual({ image_size: { height: 512, width: 768 }, seed: 7 })
  expect(getPath(fields, 'image_size.width')).toEqual([768])
})

test('a star matches every item in order, and a missing path yields nothing', () => {
  const answer = { images: [{ url: 'a' }, { width: 1 }, { url: 'b' }], video: null }

  expect(getPath(answer, 'images.*.url')).toEqual(['a', 'b'])
  expect(getPath(answer, 'images.1.width')).toEqual([1])
  expect(getPath(answer, 'video.url')).toEqual([])
  expect(getPath(answer, 'images.length')).toEqual([])
  expect(getPath(undefined, 'images')).toEqual([])
})

test.each(['', '.', 'a..b', 'a.__proto__.b', 'constructor', 'a b', 'images.*.url'])('%j is not a valid path for writing', (text) => {
  expect(place.safeParse(text).success).toBe(false)
})

test('a path for reading accepts stars, and no prototype names either', () => {
  expect(places.safeParse('images.*.url').success).toBe(true)
  expect(places.safeParse('images.*.__proto__').success).toBe(false)
})

test('the first text or number is found among other values, or undefined without one', () => {
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
