import type { Hundredths } from '../entities/Hundredths.ts'

/** An amount from an integer of hundredths, such as a sum of amounts. */
export function hundredths(value: number | bigint): Hundredths {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not an exact amount of hundredths: ${value}`)
  return amount as Hundredths
}

/** An amount from credits of a request; `undefined` when they have more than two decimals. */
export function hundredthsFromCredits(credits: number): Hundredths | undefined {
  const scaled = Math.round(credits * 100)
  return Number.isSafeInteger(scaled) && scaled / 100 === credits ? (scaled as Hundredths) : undefined
}

export const nothing = 0 as Hundredths

/** The JSON number of credits: 150 → 1.5. Exact: a double represents amounts of this size to the hundredth. */
export function creditsOf(amount: Hundredths): number {
  return amount / 100
}
