/** The polls for which the jobs of this process wait themselves, see `localPoll.ts`. */
export type LocalPolls = {
  /** `undefined` when there are as many as possible. */
  take(): Disposable | undefined
}

export function makeLocalPolls(max: number): LocalPolls {
  let free = max
  return {
    take() {
      if (free === 0) return undefined
      free -= 1
      let isHeld = true
      return {
        [Symbol.dispose]() {
          if (isHeld) free += 1
          isHeld = false
        },
      }
    },
  }
}
