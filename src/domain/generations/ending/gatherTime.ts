/** Ends of one account that come within this time share a statement. */
const gatherMs = 5
/** An end of several generations costs little more than one. So an account waits longer if it had ends less than {@link busyMs} ago. */
const busyGatherMs = 20
const busyMs = 25

const lastEndsAt = new Map<string, number>()
const accountsMax = 1_000

/** Returns the milliseconds for which the next ends of an account wait for others. */
export function gatherTime(accountId: string): number {
  const lastAt = lastEndsAt.get(accountId)
  return lastAt !== undefined && performance.now() - lastAt < busyMs ? busyGatherMs : gatherMs
}

/** Call it when ends of an account were committed or have failed. */
export function noteEnds(accountId: string): void {
  if (lastEndsAt.size >= accountsMax) lastEndsAt.clear()
  lastEndsAt.set(accountId, performance.now())
}
