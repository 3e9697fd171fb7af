import pLimit from 'p-limit'

export type ConcurrencyLimiter = {
  /** Resolves with the result of `work`, or with `undefined` when the queue is full and `work` was not started. */
  run<Result>(work: () => Promise<Result>): Promise<Result | undefined>
}

/** Runs at most `atOnce` calls at a time, and queues at most `waitingMax` further calls in the order of their arrival. */
export function makeConcurrencyLimiter({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): ConcurrencyLimiter {
  const limit = pLimit(atOnce)
  return {
    run: async (work) => (limit.activeCount >= atOnce && limit.pendingCount >= waitingMax ? undefined : limit(work)),
  }
}
