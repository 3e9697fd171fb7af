import { expect, test } from 'vitest'
import { forEachSettled } from '../../src/concurrency/forEachConcurrent.ts'

test('each item runs, within the concurrency limit, and failures do not stop the others', async () => {
  let [running, most] = [0, 0]
  const settled = await forEachSettled([1, 2, 3, 4, 5, 6, 7], 2, async (item) => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    if (item <= 4) throw new Error(`no ${item}`)
  })
  expect(settled.done).toEqual([5, 6, 7])
  expect(settled.failed.map(({ item, error }) => [item, String(error)])).toEqual([1, 2, 3, 4].map((item) => [item, `Error: no ${item}`]))
  expect(most).toBe(2)
})
