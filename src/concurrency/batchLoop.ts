/** Calls `take` again and again, one at a time. */
export type BatchLoop = {
  /** Now, or when the one under way is over. */
  soon(): void
  /** In so long at the latest. */
  within(milliseconds: number): void
  /** Waits for the one under way; there are no more. */
  stop(): Promise<void>
}

/** Under load each turn waits so long for more to come along: fewer, larger turns cost the database far less. */
const gatherMs = 1

/** `take` gives the time in which it wants its next turn, `undefined` when it has nothing more to do; it does not reject. */
export function makeBatchLoop(take: () => Promise<number | undefined>): BatchLoop {
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  let wanted = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const within = (milliseconds: number) => {
    if (stopped) return
    timer ??= setTimeout(() => {
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
    // Those who come in the same moment share a turn.
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
