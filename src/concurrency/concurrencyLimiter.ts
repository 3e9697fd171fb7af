export type ConcurrencyLimiter = {
  /** Gives what `work` gives, or `undefined` when too many wait already. */
  run<Result>(work: () => Promise<Result>): Promise<Result | undefined>
}

/** Lets so many calls run side by side, and so many more wait for their turn, first come first served; no more than that. */
export function makeConcurrencyLimiter({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): ConcurrencyLimiter {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (running >= atOnce) {
        if (waiting.length >= waitingMax) return undefined
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else running += 1
      try {
        return await work()
      } finally {
        // A place is handed on, so that nobody who comes meanwhile takes it.
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
