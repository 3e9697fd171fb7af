/** An exact non-negative number: `digits` / 10^`scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number }

/**
 * Reads a double as the decimal that JSON prints for it, so that 0.1 is exactly a tenth.
 * Returns `undefined` for numbers that are negative or not finite.
 */
export function decimalOf(value: number): Decimal | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export function wholeDecimal(value: number): Decimal {
  return { digits: BigInt(value), scale: 0 }
}

export function times(left: Decimal, right: Decimal): Decimal {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale }
}

export function plus(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { digits: scaledTo(left, scale) + scaledTo(right, scale), scale }
}

/** Divides by 10^`places` without loss. */
export function shiftedDown(value: Decimal, places: number): Decimal {
  return { digits: value.digits, scale: value.scale + places }
}

/** Rounds up to whole hundredths. */
export function ceilHundredths(value: Decimal): bigint {
  if (value.scale <= 2) return scaledTo(value, 2)
  const divisor = 10n ** BigInt(value.scale - 2)
  return (value.digits + divisor - 1n) / divisor
}

/** Returns the nearest double, for display. */
export function numberOf(value: Decimal): number {
  return Number(`${value.digits}e-${value.scale}`)
}

function scaledTo(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale)
}
