import { expect, test } from 'vitest'
import { makeCooperativeScheduler } from '../../src/concurrency/cooperativeScheduler.ts'

/** Computes for this CPU time, however busy the machine is. */
function compute(milliseconds: number): void {
  const begun = process.threadCpuUsage()
  for (let spent = 0; spent < milliseconds * 1000; ) {
    const { user, system } = process.threadCpuUsage(begun)
    spent = user + system
  }
}

/** Counts the turns of the event loop that other work gets during `work`. */
async function turnsWithin(work: () => Promise<void>): Promise<number> {
  let turns = 0
  let goesOn = true
  const next = () => {
    turns += 1
    if (goesOn) setImmediate(next)
  }
  setImmediate(next)
  await work()
  goesOn = false
  return turns
}

test('long work yields to other work after each slice', async () => {
  const scheduler = makeCooperativeScheduler(5)
  const turns = await turnsWithin(async () => {
    for (let index = 0; index < 20; index += 1) {
      await scheduler.waitForSlice()
      compute(5)
    }
  })
  expect(turns).toBeGreaterThanOrEqual(19)
})

test('any number of concurrent works share the slice of a turn', async () => {
  const scheduler = makeCooperativeScheduler(5)
  const turns = await turnsWithin(async () => {
    const throughOthers = async () => {
      await scheduler.waitForSlice()
      await Promise.resolve()
    }
    const works = Array.from({ length: 20 }, async () => {
      await throughOthers()
      compute(5)
    })
    await Promise.all(works)
  })
  expect(turns).toBeGreaterThanOrEqual(19)
})

test('short work does not wait', async () => {
  const scheduler = makeCooperativeScheduler(60_000)
  const turns = await turnsWithin(async () => {
    for (let index = 0; index < 1000; index += 1) await scheduler.waitForSlice()
  })
  expect(turns).toBe(0)
})
