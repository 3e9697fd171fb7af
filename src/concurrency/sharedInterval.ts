import { setTimeout as pause } from 'node:timers/promises'
import { makeBatchLoop } from './batchLoop.ts'

/** Calls all members periodically, so that they can share a timer and a statement. */
export type SharedInterval = {
  /** Adds a member from the next round on. Returns the function that removes it. The callback must not throw. */
  join(call: () => void): () => void
  /** Begins a round now. */
  callNow(): void
}

/** Calls `atOnce` members in one turn of the event loop, then pauses for `pauseMs`. */
export function makeSharedInterval({ everyMs, atOnce, pauseMs }: { everyMs: number; atOnce: number; pauseMs: number }): SharedInterval {
  const members = new Set<() => void>()
  const loop = makeBatchLoop(async () => {
    const present = [...members]
    for (const [index, call] of present.entries()) {
      if (index > 0 && index % atOnce === 0) await pause(pauseMs)
      if (members.has(call)) call()
    }
    return members.size > 0 ? everyMs : undefined
  })
  return {
    join(call) {
      const own = () => call()
      members.add(own)
      loop.within(everyMs)
      return () => void members.delete(own)
    },
    callNow: loop.soon,
  }
}
