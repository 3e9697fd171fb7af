import { expect, test } from 'vitest'
import { runInBatches } from '../../src/domain/runInBatches.ts'

/** A table with the given number of rows, and a step that deletes at most `batchRows` of them. */
function tableOf(rows: number, batchRows: number) {
  const batches: number[] = []
  return {
    batches,
    async deleteBatch(): Promise<number> {
      const count = Math.min(rows, batchRows)
      rows -= count
      batches.push(count)
      return count
    },
  }
}

test.each([
  ['no rows', 0, [0]],
  ['fewer rows than a batch', 2, [2]],
  ['exactly one batch', 3, [3, 0]],
  ['several batches and a rest', 8, [3, 3, 2]],
])('%s are all changed, and the run ends with the first partial batch', async (_rows, rows, batches) => {
  const table = tableOf(rows, 3)

  expect(await runInBatches(3, table.deleteBatch)).toBe(rows)
  expect(table.batches).toEqual(batches)
})

test('batches run one after the other', async () => {
  let running = 0
  const seen: number[] = []
  const table = tableOf(5, 2)

  await runInBatches(2, async () => {
    running += 1
    seen.push(running)
    const count = await table.deleteBatch()
    running -= 1
    return count
  })

  expect(seen).toEqual([1, 1, 1])
})

test('a batch that fails ends the run', async () => {
  const batches = [2, new Error('the database is away'), 2]

  const run = runInBatches(2, async () => {
    const next = batches.shift() ?? 0
    if (next instanceof Error) throw next
    return next
  })

  await expect(run).rejects.toThrow('the database is away')
  expect(batches).toEqual([2])
})
