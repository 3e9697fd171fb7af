/** The share of attempts that were answered with a 2xx, in per cent; one that is not whole never reads as 100, and one above none not as 0. */
export function formatSuccessRate(rate: number | null): string {
  if (rate === null) return 'No attempts'
  if (rate === 0 || rate === 1) return `${rate * 100}%`
  return `${Math.min(99.9, Math.max(0.1, Math.round(rate * 1000) / 10))}%`
}
