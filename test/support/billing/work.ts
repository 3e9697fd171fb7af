/**
 * One billable request at the vendor. Times are of `performance.now()` in the vendor's process. The vendor bills finished
 * work, so `madeAt` is also the time of billing; work cancelled earlier has none.
 */
export type Work = {
  id: string
  kind: 'synchronous' | 'queued'
  prompt: string
  arrivedAt: number
  madeAt?: number
  /** Time of the answer to the submit: with the bytes if synchronous, else with the handle. */
  answeredAt?: number
  /** The caller's connection closed before that. */
  cutAt?: number
  /** Time when the bytes were sent, with the answer or as a download. */
  deliveredAt?: number
  cancelledAt?: number
}

/** The totals of a run. */
export type Bill = {
  billed: number
  /** Billed works beyond the first of a ready generation, and all billed works of one that is neither ready nor cancelled. */
  undelivered: number
  /** Billed works beyond the first of any generation; in `undelivered` as well, unless it was cancelled. */
  repeated: number
  /** Undelivered works whose submit was cut off, or open at a kill, or answered less than `graceMs` before one. */
  unanswerable: number
}

const graceMs = 1_000

/**
 * Compares the vendor's bill with the final states of generations, by prompt; a missing prompt belongs to no generation. `kills`: times
 * of kills.
 */
export function billOf(works: readonly Work[], states: ReadonlyMap<string, string>, kills: readonly number[] = []): Bill {
  const billed = works.filter(({ madeAt }) => madeAt !== undefined)
  const perPrompt = [...Map.groupBy(billed, ({ prompt }) => prompt)]
  const lost = perPrompt.flatMap(([prompt, own]) => lostOf(own, states.get(prompt)))
  return {
    billed: billed.length,
    undelivered: lost.length,
    repeated: billed.length - perPrompt.length,
    unanswerable: lost.filter((work) => work.cutAt !== undefined || kills.some((kill) => isOpenAt(work, kill))).length,
  }
}

/** Of a ready generation the work whose bytes went out last counts as the delivered one. */
function lostOf(works: Work[], state: string | undefined): Work[] {
  if (state === 'cancelled') return []
  const inOrder = works.toSorted((left, right) => (left.deliveredAt ?? -1) - (right.deliveredAt ?? -1))
  return state === 'ready' ? inOrder.slice(0, -1) : inOrder
}

function isOpenAt({ arrivedAt, answeredAt = Infinity }: Work, moment: number): boolean {
  return arrivedAt <= moment && answeredAt > moment - graceMs
}
