import { makeFairQueue } from '../../../media/fairQueue.ts'

export type RenderQueue = {
  /** The result of `work`. Throws {@link RenderQueueFull} when too many calls of `owner` or of all owners wait; `work` is not started then. */
  run<Result>(owner: string, work: () => Promise<Result>): Promise<Result>
}

/** Too many calls wait. The same call may succeed some seconds later. `ofOwner`: only those of its owner are too many. */
export class RenderQueueFull extends Error {
  readonly ofOwner: boolean

  constructor({ ofOwner }: { ofOwner: boolean }) {
    super('too many calls wait')
    this.ofOwner = ofOwner
  }
}

/** Runs one call at a time, in turn by owner, so that an owner with many calls does not delay others. */
export function makeRenderQueue({ waitingMax, waitingMaxPerOwner }: { waitingMax: number; waitingMaxPerOwner: number }): RenderQueue {
  const queue = makeFairQueue<() => void>(waitingMax)
  const waitingOf = new Map<string, number>()
  let isBusy = false

  function changeWaiting(owner: string, by: number): void {
    const count = (waitingOf.get(owner) ?? 0) + by
    if (count === 0) waitingOf.delete(owner)
    else waitingOf.set(owner, count)
  }

  async function takeTurn(owner: string): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return
    }
    if ((waitingOf.get(owner) ?? 0) >= waitingMaxPerOwner) throw new RenderQueueFull({ ofOwner: true })
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        changeWaiting(owner, -1)
        resolve()
      }
      if (queue.add(owner, start)) changeWaiting(owner, 1)
      else reject(new RenderQueueFull({ ofOwner: false }))
    })
  }

  function endTurn(): void {
    const next = queue.take()
    if (next) next()
    else isBusy = false
  }

  return {
    async run(owner, work) {
      await takeTurn(owner)
      try {
        return await work()
      } finally {
        endTurn()
      }
    },
  }
}
