import { expect, test } from 'vitest'
import { type FairSemaphore, makeFairSemaphore, type Permit } from '../../src/concurrency/fairSemaphore.ts'

const neverAborted = new AbortController().signal

/** Acquires an amount; `held` is set once it is granted. */
function ask(budget: FairSemaphore, holder: string, amount: number, signal = neverAborted) {
  const asked: { held: Permit | undefined; refused: unknown } = { held: undefined, refused: undefined }
  budget.acquire(holder, amount, signal).then(
    (held) => (asked.held = held),
    (error: unknown) => (asked.refused = error),
  )
  return asked
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a holder never exceeds its limit, and other holders do not wait for it', async () => {
  const budget = makeFairSemaphore({ perHolder: 8, total: 32 })
  const greedy = Array.from({ length: 8 }, () => ask(budget, 'greedy', 8))
  const other = ask(budget, 'other', 8)
  await settled()
  expect(greedy.map(({ held }) => held !== undefined)).toEqual([true, ...Array.from({ length: 7 }, () => false)])
  expect(other.held).toBeDefined()
  greedy[0]?.held?.release()
  await settled()
  expect(greedy.map(({ held }) => held !== undefined).slice(0, 3)).toEqual([true, true, false])
})

test('all holders together never exceed the total, and small amounts do not overtake a large one forever', async () => {
  const budget = makeFairSemaphore({ perHolder: 8, total: 16 })
  const [one] = [ask(budget, 'one', 8), ask(budget, 'two', 6)]
  const [large, small] = [ask(budget, 'three', 8), ask(budget, 'four', 1)]
  await settled()
  expect([large.held, small.held]).toEqual([undefined, undefined])
  one.held?.release()
  await settled()
  expect([large.held, small.held]).toEqual([expect.anything(), expect.anything()])
})

test('the shared part can be released first, and each part is released once', async () => {
  const budget = makeFairSemaphore({ perHolder: 8, total: 8 })
  const first = ask(budget, 'one', 100)
  const [own, other] = [ask(budget, 'one', 8), ask(budget, 'two', 8)]
  await settled()
  first.held?.releaseShared()
  first.held?.releaseShared()
  await settled()
  expect([own.held, other.held]).toEqual([undefined, expect.anything()])
  first.held?.release()
  first.held?.release()
  await settled()
  expect(own.held).toBeUndefined()
  other.held?.release()
  await settled()
  expect(own.held).toBeDefined()
})

test('an aborted call rejects with the reason of its signal and lets the next ones proceed', async () => {
  const budget = makeFairSemaphore({ perHolder: 8, total: 8 })
  const leaving = new AbortController()
  const first = ask(budget, 'one', 8)
  const [left, next] = [ask(budget, 'two', 8, leaving.signal), ask(budget, 'three', 8)]
  leaving.abort('gone')
  await settled()
  expect(left.refused).toBe('gone')
  first.held?.release()
  await settled()
  expect([left.held, next.held]).toEqual([undefined, expect.anything()])
  const late = ask(budget, 'four', 1, leaving.signal)
  await settled()
  expect(late.refused).toBe('gone')
})
