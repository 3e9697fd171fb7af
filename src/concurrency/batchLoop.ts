/** Calls `take` repeatedly, one call at a time. */
export type BatchLoop = {
  /** Runs now, or after the current call. */
  soon(): void
  /** Runs within this time at the latest. */
  within(milliseconds: number): void
  /** Waits for the current call. No further call starts. */
  stop(): Promise<void>
}

/** Under load, wait this long for more work between two calls: fewer, larger batches cost the database far less. */
const gatherMs = 1

/** `take` returns the delay in milliseconds until its next call, or undefined when there is no more work. It must not reject. */
export function makeBatchLoop(take: () => Promise<number | undefined>): BatchLoop {
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let wanted = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let timerAt = 0

  const within = (milliseconds: number) => {
    const at = performance.now() + milliseconds
    if (stopped || (timer !== undefined && timerAt <= at)) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(() => {
      timer = undefined
      soon()
    }, milliseconds).unref()
  }

  function soon(): void {
    if (stopped) return
    wanted = true
    if (isRunning) return
    isRunning = true
    running = run()
  }

  async function run(): Promise<void> {
    // Calls in the same turn of the event loop share a batch.
    await new Promise(setImmediate)
    while (wanted) {
      wanted = false
      clearTimeout(timer)
      timer = undefined
      const next = await take()
      if (next !== undefined) within(next)
      if (wanted) await new Promise((resolve) => setTimeout(resolve, gatherMs))
    }
    isRunning = false
  }

  return {
    soon,
    within,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
