import { createHash } from 'node:crypto'

/** So many addresses without a valid key are counted one by one in a minute, by this process; the rest share counts. */
const ownCountsMax = 5000
const sharedCounts = 1024

/** Under which names the addresses of strangers are counted. */
export type Strangers = {
  /** The name of the count of an address at this moment. */
  countOf(address: string): string
  /** Keeps a count of its own for an address that showed no valid key, as long as the minute lasts. */
  note(address: string): void
}

/**
 * Bounds the counts that addresses without a valid key can make: each count is a row, and whoever commands many addresses would
 * otherwise fill the table. Past the bound, strangers share counts by a hash of their address, and with them the limit; valid keys are
 * counted by their users and never meet it.
 */
export function makeStrangers({ now }: { now(): Date }): Strangers {
  const own = new Set<string>()
  let minute = 0
  const turn = () => {
    const present = Math.floor(now().getTime() / 60_000)
    if (present !== minute) own.clear()
    minute = present
  }
  return {
    countOf(address) {
      turn()
      return own.has(address) || own.size < ownCountsMax ? address : `shared ${bucketOf(address)}`
    },
    note(address) {
      turn()
      if (own.size < ownCountsMax) own.add(address)
    },
  }
}

function bucketOf(address: string): number {
  return createHash('sha256').update(address).digest().readUInt32BE() % sharedCounts
}
