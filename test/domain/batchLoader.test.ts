import pg from 'pg'
import { expect, test } from 'vitest'
import { batchLoader } from '../../src/domain/batchLoader.ts'

const pool = new pg.Pool()

/** Doubles numbers, and records the batches. */
function aLookup() {
  const batches: number[][] = []
  const double = batchLoader<number, number>(async (_sql, keys) => {
    batches.push([...keys])
    return keys.map((key) => (key < 0 ? undefined : key * 2))
  })
  return { batches, double: (key: number) => double({ pool }, key) }
}

test('reads in the same turn of the event loop share one statement, and each gets its own value', async () => {
  const { batches, double } = aLookup()
  expect(await Promise.all([1, -1, 2].map(double))).toEqual([2, undefined, 4])
  expect(batches).toEqual([[1, -1, 2]])
})

test('values are not cached: a later read runs a new statement', async () => {
  const { batches, double } = aLookup()
  await double(1)
  await double(1)
  expect(batches).toEqual([[1], [1]])
})

test('two pools share nothing', async () => {
  const asked: number[][] = []
  const lookup = batchLoader<number, number>(async (_sql, keys) => {
    asked.push([...keys])
    return [...keys]
  })
  await Promise.all([lookup({ pool }, 1), lookup({ pool: new pg.Pool() }, 2)])
  expect(asked).toEqual([[1], [2]])
})
