/** An exact amount of credits as integer hundredths: 150 is 1.5 credits. Never a fraction, never over 2^53. */
export type Hundredths = number & { readonly brand: 'hundredths of a credit' }

/** From our own integer, e.g. a database value; `bigint` columns arrive as strings. */
export function hundredths(value: number | string | bigint): Hundredths {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`not an exact amount of hundredths: ${value}`)
  return number as Hundredths
}

/** From credits as a caller wrote them; `undefined` when they have more than two decimals. */
export function hundredthsFromCredits(credits: number): Hundredths | undefined {
  const scaled = Math.round(credits * 100)
  return Number.isSafeInteger(scaled) && scaled / 100 === credits ? (scaled as Hundredths) : undefined
}

/** The JSON number of credits: 150 → 1.5. Exact, since a double prints hundredths of this size without error. */
export function creditsOf(amount: Hundredths): number {
  return amount / 100
}
