import type { Hundredths } from '../entities/Hundredths.ts'

/** From our own integer, such as a sum of amounts. */
export function hundredths(value: number | bigint): Hundredths {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an exact amount of hundredths: ${value}`)
  return amount as Hundredths
}

/** From credits as a caller wrote them; `undefined` when they have more than two decimals. */
export function hundredthsFromCredits(credits: number): Hundredths | undefined {
  const scaled = Math.round(credits * 100)
  return Number.isSafeInteger(scaled) && scaled / 100 === credits ? (scaled as Hundredths) : undefined
}

export const nothing = 0 as Hundredths

/** The JSON number of credits: 150 → 1.5. Exact, since a double prints hundredths of this size without error. */
export function creditsOf(amount: Hundredths): number {
  return amount / 100
}
