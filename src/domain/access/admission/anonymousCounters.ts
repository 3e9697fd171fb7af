import { createHash } from 'node:crypto'

/** Limit of addresses without a valid key that have their own counter in a minute, in this process. Further addresses share counters. */
const exactCountersMax = 5000
const sharedCounterBuckets = 1024

/** Names the counters of unauthenticated addresses. */
export type AnonymousCounters = {
  /** The name of the present counter of an address. */
  counterOf(address: string): string
  /** Gives an unauthenticated address its own counter until the minute ends. */
  track(address: string): void
}

/**
 * Limits the counters of unauthenticated addresses. Each counter is a row, and an attacker with many addresses could fill the table.
 * Above the limit, addresses share a counter, and so a rate limit, by a hash of the address. Requests with a valid key are counted by
 * user and are not affected.
 */
export function makeAnonymousCounters({ now }: { now(): Date }): AnonymousCounters {
  const own = new Set<string>()
  let minute = 0
  const rollOver = () => {
    const present = Math.floor(now().getTime() / 60_000)
    if (present !== minute) own.clear()
    minute = present
  }
  return {
    counterOf(address) {
      rollOver()
      return own.has(address) || own.size < exactCountersMax ? address : `shared ${bucketOf(address)}`
    },
    track(address) {
      rollOver()
      if (own.size < exactCountersMax) own.add(address)
    },
  }
}

function bucketOf(address: string): number {
  return createHash('sha256').update(address).digest().readUInt32BE() % sharedCounterBuckets
}
