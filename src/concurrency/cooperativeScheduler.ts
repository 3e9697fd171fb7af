/** Keeps long work from blocking the event loop: all users of one pacer together compute for one slice in each turn of the loop. */
export type CooperativeScheduler = {
  /** Resolves when its caller may compute: one caller after the other, in later turns of the event loop once a slice is used up. */
  waitForSlice(): Promise<void>
}

/** Promises between a caller of `waitForSlice` and the work that waits for it; they settle before the next caller is let on. */
const promisesBetween = 10

/**
 * `sliceMs`: how long a turn may compute before it yields, in time of this thread on a processor: whoever waits for a busy machine has not
 * computed, and loaders batch what is asked for in one turn. Work between two calls of `waitForSlice` is never interrupted.
 */
export function makeCooperativeScheduler(sliceMs: number): CooperativeScheduler {
  let begunAt: NodeJS.CpuUsage | undefined
  let nextTurn = Promise.resolve()
  let lastWorked = Promise.resolve()

  function isOver(): boolean {
    if (begunAt !== undefined) {
      const { user, system } = process.threadCpuUsage(begunAt)
      return user + system >= sliceMs * 1000
    }
    begunAt = process.threadCpuUsage()
    nextTurn = new Promise((resolve) => {
      setImmediate(() => {
        begunAt = undefined
        resolve()
      })
    })
    return false
  }

  async function turnAfter(before: Promise<void>): Promise<void> {
    await before
    while (isOver()) await nextTurn
  }

  return {
    waitForSlice() {
      const turn = turnAfter(lastWorked)
      lastWorked = worked(turn)
      return turn
    },
  }
}

/** Thousands may wait at once, as for one batch of a loader: each computes before the slice is looked at for the next. */
async function worked(turn: Promise<void>): Promise<void> {
  await turn
  for (let count = 0; count < promisesBetween; count += 1) await Promise.resolve()
}
