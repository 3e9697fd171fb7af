/** Runs the work of one key one at a time, in the order of the calls. Keys do not wait for each other. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

type KeyedMutexOptions = {
  /** True for a failure that the next work of the key would have too. After any other failure the next work runs. */
  isShared?(error: unknown): boolean
  /** A call that has waited this long fails with such a failure of the work before it. */
  waitMilliseconds?: number
}

type Outcome = { failedWith?: unknown }

/** Creates a mutex per key. Keys without work use no memory. */
export function keyedMutex({ isShared = () => false, waitMilliseconds = 0 }: KeyedMutexOptions = {}): KeyedMutex {
  const last = new Map<string, Promise<Outcome>>()
  return async (key, work) => {
    const since = performance.now()
    const before = last.get(key)
    const mine = before ? before.then((outcome) => afterOther(outcome, since, work)) : work()
    const over = mine.then(
      () => ({}),
      (error: unknown) => (isShared(error) ? { failedWith: error } : {}),
    )
    last.set(key, over)
    try {
      return await mine
    } finally {
      if (last.get(key) === over) last.delete(key)
    }
  }

  function afterOther<Result>(outcome: Outcome, since: number, work: () => Promise<Result>): Promise<Result> {
    const isLate = 'failedWith' in outcome && performance.now() - since >= waitMilliseconds
    return isLate ? Promise.reject(outcome.failedWith) : work()
  }
}
