import { makeSharedSlots, type SlotHolder } from '../../concurrency/sharedSlots.ts'

/** The polls for which the jobs of this process wait themselves, see `localPoll.ts`. */
export type LocalPolls = {
  /** `undefined` when `max` polls wait. */
  take(): Disposable | undefined
  /**
   * Waits for a slot for a poll and the steps after it. Callers get slots in the order in which they called, except those whose holder has
   * used its share. Resolves with the function that releases the slot, or with `undefined` after five seconds or when `signal` aborts. The
   * slots are not those of the queue, because a job that waits for a slot of the queue would overtake the jobs in it.
   */
  takeSlot(holder: SlotHolder, signal: AbortSignal): Promise<(() => void) | undefined>
}

export type LocalPollLimits = {
  /** The most jobs that wait. */
  max: number
  /** The most that work at once. */
  concurrency: number
  /** After this time, another process may have a slot. Default 5000. */
  slotWaitMs?: number
}

/** `serve` takes a slot and returns true, if the holder's share has one. */
type Waiting = { holderName: string; serve(): boolean }

export function makeLocalPolls({ max, concurrency, slotWaitMs = 5_000 }: LocalPollLimits): LocalPolls {
  const slots = makeSharedSlots(concurrency)
  /** In the order of their calls. */
  const waiting = new Set<Waiting>()
  let free = max

  function tryTake(holder: SlotHolder): (() => void) | undefined {
    const release = slots.take(holder)
    return (
      release &&
      (() => {
        release()
        serveWaiting()
      })
    )
  }

  function serveWaiting(): void {
    const full = new Set<string>()
    for (const each of waiting) if (!full.has(each.holderName) && !each.serve()) full.add(each.holderName)
  }

  function waitForSlot(holder: SlotHolder, signal: AbortSignal): Promise<(() => void) | undefined> {
    const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
    const end = (release: (() => void) | undefined) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      waiting.delete(own)
      resolve(release)
    }
    const giveUp = () => end(undefined)
    const serve = () => {
      const release = tryTake(holder)
      if (release) end(release)
      return release !== undefined
    }
    const own = { holderName: JSON.stringify([holder.group, holder.member]), serve }
    const timer = setTimeout(giveUp, slotWaitMs)
    signal.addEventListener('abort', giveUp)
    waiting.add(own)
    return promise
  }

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
    takeSlot: async (holder, signal) => (signal.aborted ? undefined : (tryTake(holder) ?? (await waitForSlot(holder, signal)))),
  }
}
