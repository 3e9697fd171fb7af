/** A number of seconds in words: `90 s`, `12 min`, `3.5 hours`, `2.0 days`. */
export function durationOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${(seconds / 3_600).toFixed(1)} hours` : `${(seconds / 86_400).toFixed(1)} days`
}
