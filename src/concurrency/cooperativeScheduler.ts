/** Keeps long work from blocking the event loop: all users of one scheduler share one time slice per turn of the loop. */
export type CooperativeScheduler = {
  /** Resolves when the caller may compute. Callers run one after the other; once a slice is used up, in a later turn of the event loop. */
  waitForSlice(): Promise<void>
}

/** Promises between a caller of `waitForSlice` and its work. They settle before the next caller runs. */
const promisesBetween = 10

/**
 * `sliceMs` is CPU time of this thread, so that waiting on a busy machine does not use up the slice; longer turns also let loaders batch
 * more reads. Work between two calls of `waitForSlice` is never interrupted.
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
      lastWorked = afterWork(turn)
      return turn
    },
  }
}

/** Thousands of callers may wait at once, for example for a loader's batch. Each computes before the slice is checked for the next. */
async function afterWork(turn: Promise<void>): Promise<void> {
  await turn
  for (let count = 0; count < promisesBetween; count += 1) await Promise.resolve()
}
