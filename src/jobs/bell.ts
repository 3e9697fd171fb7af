export type Bell = {
  /** Ends the wait under way, or else the next one at once. */
  ring(): void
  /** Rings after so long, if that is sooner than `atMost`; whoever waits longer looks by themselves. */
  ringIn(milliseconds: number, options: { atMost: number }): void
  /** Until the bell rings, for so long at most. */
  wait(milliseconds: number): Promise<void>
  /** Stops all timers. */
  silence(): void
}

/** Wakes a loop that sleeps; rings during its work are not lost. */
export function makeBell(): Bell {
  const timers = new Set<NodeJS.Timeout>()
  let rung = false
  let wake: () => void = () => undefined
  const ring = () => {
    rung = true
    wake()
  }
  const after = (milliseconds: number, call: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      call()
    }, milliseconds)
    timers.add(timer)
    return timer
  }
  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = after(milliseconds, resolve)
      wake = () => {
        clearTimeout(timer)
        timers.delete(timer)
        resolve()
      }
    })
  return {
    ring,
    ringIn: (milliseconds, { atMost }) => {
      if (milliseconds < atMost) after(milliseconds, ring)
    },
    async wait(milliseconds) {
      if (!rung) await sleep(milliseconds)
      wake = () => undefined
      rung = false
    },
    silence: () => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
