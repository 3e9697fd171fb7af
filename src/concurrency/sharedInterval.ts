import { setTimeout as pause } from 'node:timers/promises'
import { makeBatchLoop } from './batchLoop.ts'

/** Calls all members every so often, so that each needs no timer, and no statement, of its own. */
export type SharedInterval = {
  /** From the next round on; returns what ends it. The callback does not throw. */
  join(call: () => void): () => void
}

/** Members are called `atOnce` at a time, those in the same turn of the event loop, with `pauseMs` in between. */
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
  }
}
