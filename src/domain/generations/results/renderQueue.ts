import { makeFairQueue } from '../../../media/fairQueue.ts'

export type RenderQueue = {
  /** Resolves with the result of `work`, or with `undefined` when too many calls of `owner` or of all owners wait; `work` is not started then. */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result | undefined>
}

/** Runs one call at a time, in turn by owner, so that an owner with many calls does not delay others. */
export function makeRenderQueue({ waitingMax, waitingMaxPerOwner }: { waitingMax: number; waitingMaxPerOwner: number }): RenderQueue {
  const queue = makeFairQueue<() => void>(waitingMax)
  const waitingOf = new Map<string, number>()
  let isBusy = false

  function change(owner: string, by: number): void {
    const count = (waitingOf.get(owner) ?? 0) + by
    if (count === 0) waitingOf.delete(owner)
    else waitingOf.set(owner, count)
  }

  /** Resolves to false when the queue has no place. */
  function takeTurn(owner: string): boolean | Promise<boolean> {
    if (!isBusy) {
      isBusy = true
      return true
    }
    if ((waitingOf.get(owner) ?? 0) >= waitingMaxPerOwner) return false
    return new Promise((resolve) => {
      const start = () => {
        change(owner, -1)
        resolve(true)
      }
      if (queue.add(owner, start)) change(owner, 1)
      else resolve(false)
    })
  }

  function endTurn(): void {
    const next = queue.take()
    if (next) next()
    else isBusy = false
  }

  return {
    async run(owner, work) {
      if (!(await takeTurn(owner))) return undefined
      try {
        return await work()
      } finally {
        endTurn()
      }
    },
  }
}
