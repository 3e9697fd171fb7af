/** Progress reported by the provider. `queuePosition`: 1 is next. `progress`: 0 to 1. */
export type WorkProgress = { queuePosition?: number | undefined; progress?: number | undefined }

/** A valid place in the provider's queue; other values count as unknown. */
export function positionOf(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(value) && value >= 1 && value < 2 ** 31 ? value : null
}

/** A valid progress in hundredths; other values count as unknown. */
export function progressOf(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= 1 ? Math.round(value * 100) / 100 : null
}
