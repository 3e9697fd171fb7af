import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTurns } from '../../../src/domain/access/turns.ts'

test('whoever comes at any moment around the end of a turn gets one at once', async () => {
  let taken = Promise.withResolvers<void>()
  const turns = makeTurns(async () => {
    taken.resolve()
    return undefined
  })
  onTestFinished(() => turns.stop())
  for (let ticks = 0; ticks < 20; ticks++) {
    taken = Promise.withResolvers<void>()
    turns.soon()
    await taken.promise
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
  }
  expect(await taken.promise).toBeUndefined()
})

test('turns follow one another, and those who come during one share the next', async () => {
  const ends: (() => void)[] = []
  const turns = makeTurns(() => new Promise((resolve) => void ends.push(() => resolve(undefined))))
  turns.soon()
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  turns.soon()
  turns.soon()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  const stopped = turns.stop()
  ends[1]?.()
  await stopped
  turns.soon()
  turns.within(0)
  expect(ends).toHaveLength(2)
})

test('a turn that wants another gets it in its time, without being asked', async () => {
  let count = 0
  const turns = makeTurns(async () => (++count < 3 ? 1 : undefined))
  onTestFinished(() => turns.stop())
  turns.within(1)
  await vi.waitFor(() => expect(count).toBe(3))
})
