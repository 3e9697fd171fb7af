/** The polls for which the jobs of this process wait themselves, see `holdPoll.ts`. */
export type PollHolds = {
  /** `undefined` when as many as possible are held. */
  take(): Disposable | undefined
}

export function makePollHolds(max: number): PollHolds {
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
