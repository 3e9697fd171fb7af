import { expect, test } from 'vitest'
import { makeSharedInterval } from '../../src/concurrency/sharedInterval.ts'

test('every member is called in each round, a limited number per turn, until it leaves', async () => {
  const rounds = makeSharedInterval({ everyMs: 1, atOnce: 2, pauseMs: 1 })
  const calls: string[] = []
  let inTurn = 0
  let most = 0
  const enough = Promise.withResolvers<void>()
  const leaves = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    rounds.join(() => {
      calls.push(name)
      most = Math.max(most, ++inTurn)
      setImmediate(() => (inTurn -= 1))
      if (calls.length >= 11) enough.resolve()
    }),
  )
  await enough.promise
  expect(calls.slice(0, 10).join('')).toBe('abcdeabcde')
  expect(most).toBe(2)
  for (const leave of leaves) leave()
  const { length } = calls
  const other = Promise.withResolvers<void>()
  rounds.join(() => other.resolve())
  await other.promise
  expect(calls).toHaveLength(length)
})
