import { createHash } from 'node:crypto'

/** A deterministic stream of random numbers, the same on every machine. */
export type Random = {
  /** From 0 up to 1, without 1. */
  unit(): number
  between(minimum: number, maximum: number): number
  whole(minimum: number, maximum: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** The parts are separate: `('ab', 'c')` and `('a', 'bc')` are different streams. */
export function makeRandom(...parts: string[]): Random {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  let [a, b, c, counter] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), 1]

  /** The sfc32 generator: three words and a counter, in 32-bit integer arithmetic. */
  function unit(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 12; round += 1) unit()

  const between = (minimum: number, maximum: number) => minimum + unit() * (maximum - minimum)
  const whole = (minimum: number, maximum: number) => Math.floor(between(minimum, maximum + 1))
  return { unit, between, whole, pick: (items) => items[whole(0, items.length - 1)] ?? items[0] }
}
