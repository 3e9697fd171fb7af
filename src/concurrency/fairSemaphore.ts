/** A holder's part of the budget. Both calls are idempotent. */
export type Permit = {
  /** Returns the amount to the shared total; it still counts against the holder's own limit. */
  releaseShared(): void
  /** Returns the amount completely. */
  release(): void
}

export type FairSemaphore = {
  /**
   * Takes `amount`, capped at the holder's limit, and waits until it is free. Calls of one holder wait in order, and never behind a holder
   * that has used up its own limit. Rejects with the reason of `signal`.
   */
  acquire(holder: string, amount: number, signal: AbortSignal): Promise<Permit>
}

type Waiting = { holder: string; amount: number; admit(): void }

/** Creates a budget of `total`. Each holder gets at most `perHolder` of it. */
export function makeFairSemaphore({ perHolder, total }: { perHolder: number; total: number }): FairSemaphore {
  const used = { byHolder: new Map<string, number>(), shared: 0 }
  let waiting: Waiting[] = []

  function admitWaiting(): void {
    const full = new Set<string>()
    let totalIsUsed = false
    waiting = waiting.filter(({ holder, amount, admit }) => {
      if ((used.byHolder.get(holder) ?? 0) + amount > perHolder) full.add(holder)
      // Small amounts must not overtake a large one forever.
      else if (!full.has(holder)) totalIsUsed ||= used.shared + amount > total
      if (totalIsUsed || full.has(holder)) return true
      used.shared += amount
      change(used.byHolder, holder, amount)
      admit()
      return false
    })
  }

  function makePermit(holder: string, amount: number): Permit {
    const left = { shared: amount, own: amount }
    const releaseShared = () => {
      used.shared -= left.shared
      left.shared = 0
      admitWaiting()
    }
    return {
      releaseShared,
      release() {
        change(used.byHolder, holder, -left.own)
        left.own = 0
        releaseShared()
      },
    }
  }

  return {
    acquire(holder, asked, signal) {
      const amount = Math.min(asked, perHolder, total)
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const leave = () => {
          waiting = waiting.filter((each) => each !== mine)
          admitWaiting()
          reject(signal.reason)
        }
        const admit = () => {
          signal.removeEventListener('abort', leave)
          resolve(makePermit(holder, amount))
        }
        const mine: Waiting = { holder, amount, admit }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(mine)
        admitWaiting()
      })
    },
  }
}

function change(amounts: Map<string, number>, holder: string, by: number): void {
  const amount = (amounts.get(holder) ?? 0) + by
  if (amount === 0) amounts.delete(holder)
  else amounts.set(holder, amount)
}
