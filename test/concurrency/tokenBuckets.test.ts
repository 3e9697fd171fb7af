import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeTokenBuckets } from '../../src/concurrency/tokenBuckets.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('a bucket grants its burst at once, then its refill, and never more than the burst', () => {
  const { take } = makeTokenBuckets({ burst: 3, perSecond: 2 })
  expect(take('a', 2)).toEqual({ granted: 2, waitSeconds: 0 })
  expect(take('a', 2)).toEqual({ granted: 1, waitSeconds: 0.5 })
  vi.advanceTimersByTime(250)
  expect(take('a', 1)).toEqual({ granted: 0, waitSeconds: 0.25 })
  vi.advanceTimersByTime(750)
  expect(take('a', 5)).toEqual({ granted: 2, waitSeconds: 0.5 })
  vi.advanceTimersByTime(60_000)
  expect(take('a', 5).granted).toBe(3)
})

test('each key has its own bucket, also with very many keys', () => {
  const { take } = makeTokenBuckets({ burst: 1, perSecond: 1 })
  for (let key = 0; key < 10_000; key++) expect(take(`early ${key}`, 1).granted).toBe(1)
  expect(take('early 0', 1).granted).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(take('late', 1).granted).toBe(1)
  expect(take('early 0', 1).granted).toBe(1)
  expect(take('late', 1).granted).toBe(0)
})
