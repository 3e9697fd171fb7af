/** The share of attempts with a 2xx response, in percent. Rounding never results in 100 or 0 unless it is exact. */
export function formatSuccessRate(rate: number | null): string {
  if (rate === null) return 'No attempts'
  if (rate === 0 || rate === 1) return `${rate * 100}%`
  return `${Math.min(99.9, Math.max(0.1, Math.round(rate * 1000) / 10))}%`
}
