import { createHash } from 'node:crypto'

/** So many addresses without a valid key are counted one by one in a minute, by this process; the rest share counts. */
const exactCountersMax = 5000
const sharedCounterBuckets = 1024

/** Under which names the addresses of strangers are counted. */
export type AnonymousCounters = {
  /** The name of the count of an address at this moment. */
  counterOf(address: string): string
  /** Keeps a count of its own for an address that showed no valid key, as long as the minute lasts. */
  track(address: string): void
}

/**
 * Bounds the counts that addresses without a valid key can make: each count is a row, and whoever commands many addresses would
 * otherwise fill the table. Past the bound, strangers share counts by a hash of their address, and with them the limit; valid keys are
 * counted by their users and never meet it.
 */
export function makeAnonymousCounters({ now }: { now(): Date }): AnonymousCounters {
  const own = new Set<string>()
  let minute = 0
  const turn = () => {
    const present = Math.floor(now().getTime() / 60_000)
    if (present !== minute) own.clear()
    minute = present
  }
  return {
    counterOf(address) {
      turn()
      return own.has(address) || own.size < exactCountersMax ? address : `shared ${bucketOf(address)}`
    },
    track(address) {
      turn()
      if (own.size < exactCountersMax) own.add(address)
    },
  }
}

function bucketOf(address: string): number {
  return createHash('sha256').update(address).digest().readUInt32BE() % sharedCounterBuckets
}
