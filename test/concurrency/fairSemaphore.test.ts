import { expect, test } from 'vitest'
import { type FairSemaphore, makeFairSemaphore, type Permit } from '../../src/concurrency/fairSemaphore.ts'

const nobodyLeaves = new AbortController().signal

/** Asks for an amount; `held` is set once it is given. */
function ask(budget: FairSemaphore, holder: string, amount: number, signal = nobodyLeaves) {
  const asked: { held: Permit | undefined; refused: unknown } = { held: undefined, refused: undefined }
  budget.acquire(holder, amount, signal).then(
    (held) => (asked.held = held),
    (error: unknown) => (asked.refused = error),
  )
  return asked
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a holder has no more than their share, and the others do not wait for them', async () => {
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

test('all together have no more than the total, and a large amount is not passed for ever by small ones', async () => {
  const budget = makeFairSemaphore({ perHolder: 8, total: 16 })
  const [one] = [ask(budget, 'one', 8), ask(budget, 'two', 6)]
  const [large, small] = [ask(budget, 'three', 8), ask(budget, 'four', 1)]
  await settled()
  expect([large.held, small.held]).toEqual([undefined, undefined])
  one.held?.release()
  await settled()
  expect([large.held, small.held]).toEqual([expect.anything(), expect.anything()])
})

test('the shared part comes back first, and each part once', async () => {
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

test('those who leave make room for those behind them, with the reason why they left', async () => {
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
