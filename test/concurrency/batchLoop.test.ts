import { expect, onTestFinished, test, vi } from 'vitest'
import { makeBatchLoop } from '../../src/concurrency/batchLoop.ts'

test('a request at any moment around the end of a call gets its call at once', async () => {
  let taken = Promise.withResolvers<void>()
  const loop = makeBatchLoop(async () => {
    taken.resolve()
    return undefined
  })
  onTestFinished(() => loop.stop())
  for (let ticks = 0; ticks < 20; ticks++) {
    taken = Promise.withResolvers<void>()
    loop.soon()
    await taken.promise
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
  }
  expect(await taken.promise).toBeUndefined()
})

test('calls run one after the other, and requests during a call share the next one', async () => {
  const ends: (() => void)[] = []
  const loop = makeBatchLoop(() => new Promise((resolve) => void ends.push(() => resolve(undefined))))
  loop.soon()
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  loop.soon()
  loop.soon()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await vi.waitFor(() => expect(ends).toHaveLength(2))
  const stopped = loop.stop()
  ends[1]?.()
  await stopped
  loop.soon()
  loop.within(0)
  expect(ends).toHaveLength(2)
})

test('a call that returns a delay is repeated after that delay', async () => {
  let count = 0
  const loop = makeBatchLoop(async () => (++count < 3 ? 1 : undefined))
  onTestFinished(() => loop.stop())
  loop.within(1)
  await vi.waitFor(() => expect(count).toBe(3))
})

test('a shorter delay replaces a longer one, and a longer one delays nothing', async () => {
  const ran = Promise.withResolvers<void>()
  const loop = makeBatchLoop(async () => {
    ran.resolve()
    return undefined
  })
  loop.within(60_000)
  loop.within(1)
  loop.within(60_000)
  await ran.promise
  await loop.stop()
})
