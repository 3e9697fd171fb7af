/**
 * One billable request as the vendor saw it. Times are of `performance.now()` in the process of the vendor. The vendor bills what it has
 * made, so `madeAt` is also when it billed; work that was cancelled before is neither.
 */
export type Work = {
  id: string
  kind: 'synchronous' | 'queued'
  prompt: string
  arrivedAt: number
  madeAt?: number
  /** The answer to the submit was handed to the network: with the bytes where it is synchronous, else with the handle. */
  answeredAt?: number
  /** The caller's connection closed before that. */
  cutAt?: number
  /** The bytes were handed to the network, with the answer or as a download. */
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
  /** Of the undelivered: their submit was cut off, or answered less than `graceMs` before one of the given moments or open at it. */
  unanswerable: number
}

const graceMs = 1_000

/**
 * Compares the vendor's bill with how generations ended, by their prompts; a prompt that is absent belongs to no generation. `kills`: when
 * a process was killed.
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
