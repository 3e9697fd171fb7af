import { makeSharedSlots, type SharedSlots } from '../../concurrency/sharedSlots.ts'

/** The polls for which the jobs of this process wait themselves, see `localPoll.ts`. */
export type LocalPolls = {
  /** `undefined` when `max` polls wait. */
  take(): Disposable | undefined
  /** For these polls and the steps after them. Of their own, because a job that waits for its slot would overtake the jobs in the queue. */
  slots: SharedSlots
}

/** `max`: the most jobs that wait. `concurrency`: the most that work at once. */
export function makeLocalPolls(max: number, concurrency: number): LocalPolls {
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
    slots: makeSharedSlots(concurrency),
  }
}
