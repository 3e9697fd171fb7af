export type WakeSignal = {
  /** Ends the wait under way, or else the next one at once. */
  wake(): void
  /** Wakes after so long, if that is sooner than `atMost`; whoever waits longer looks by themselves. */
  wakeIn(milliseconds: number, options: { atMost: number }): void
  /** Until it is woken, for so long at most. */
  wait(milliseconds: number): Promise<void>
  /** Stops all timers. */
  close(): void
}

/** Wakes a loop that sleeps; calls during its work are not lost. */
export function makeWakeSignal(): WakeSignal {
  const timers = new Set<NodeJS.Timeout>()
  let isWoken = false
  let endWait: () => void = () => undefined
  const wake = () => {
    isWoken = true
    endWait()
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
      endWait = () => {
        clearTimeout(timer)
        timers.delete(timer)
        resolve()
      }
    })
  return {
    wake,
    wakeIn: (milliseconds, { atMost }) => {
      if (milliseconds < atMost) after(milliseconds, wake)
    },
    async wait(milliseconds) {
      if (!isWoken) await sleep(milliseconds)
      endWait = () => undefined
      isWoken = false
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
