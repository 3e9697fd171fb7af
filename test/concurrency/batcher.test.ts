import { expect, test } from 'vitest'
import { makeBatcher } from '../../src/concurrency/batcher.ts'

test('calls during a batch share the next one, up to the batch size, and each gets its own result', async () => {
  const batches: number[][] = []
  const double = makeBatcher(
    async (items: number[]) => {
      batches.push(items)
      return items.map((item) => item * 2)
    },
    { atOnceMax: 3 },
  )
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('a failing item does not fail the others', async () => {
  const call = makeBatcher(
    async (items: string[]) => {
      if (items.includes('broken')) throw new Error('broken')
      return items
    },
    { atOnceMax: 10 },
  )
  const outcomes = await Promise.allSettled(['one', 'broken', 'two'].map(call))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a shared error fails the whole batch, and no item is retried alone', async () => {
  let runs = 0
  const call = makeBatcher(
    async () => {
      runs += 1
      throw new Error('unreachable')
    },
    { atOnceMax: 10, isShared: () => true },
  )
  const outcomes = await Promise.allSettled([1, 2].map(call))
  expect([runs, ...outcomes.map(({ status }) => status)]).toEqual([1, 'rejected', 'rejected'])
})
