import { expect, test } from 'vitest'
import { makeConcurrencyLimiter } from '../../src/concurrency/concurrencyLimiter.ts'

/** Calls that end when the test says so. */
function heldCalls() {
  const ends: (() => void)[] = []
  return { ends, work: () => new Promise<string>((resolve) => ends.push(() => resolve('done'))) }
}

test('calls beyond the limit wait in order, and calls beyond the queue are not started', async () => {
  const { ends, work } = heldCalls()
  const limiter = makeConcurrencyLimiter({ atOnce: 2, waitingMax: 1 })
  const running = [limiter.run(work), limiter.run(work)]
  const waiting = limiter.run(work)
  expect(await limiter.run(work)).toBeUndefined()
  expect(ends).toHaveLength(2)

  ends[0]?.()
  expect(await running[0]).toBe('done')
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  expect(await Promise.all([...running, waiting])).toEqual(['done', 'done', 'done'])
})

test('a limiter without a queue refuses what cannot start now', async () => {
  const { ends, work } = heldCalls()
  const limiter = makeConcurrencyLimiter({ atOnce: 1, waitingMax: 0 })
  const running = limiter.run(work)
  expect(await limiter.run(work)).toBeUndefined()
  ends[0]?.()
  await running
  expect(await limiter.run(async () => 'next')).toBe('next')
})

test('a call that fails leaves its place to the next one', async () => {
  const limiter = makeConcurrencyLimiter({ atOnce: 1, waitingMax: 1 })
  const failed = limiter.run(() => Promise.reject(new Error('broken')))
  const next = limiter.run(async () => 'next')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('next')
})
