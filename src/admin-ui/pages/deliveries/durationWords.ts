/** A stretch of time as people say it: `240 ms`, `9.8 s`, `2 min 40 s`. */
export function durationWords(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  return wholeSeconds(Math.round(seconds))
}

/** The same for what is counted down, in whole seconds. */
export function countdownWords(seconds: number): string {
  return seconds <= 0 ? 'any moment now' : `in ${wholeSeconds(Math.ceil(seconds))}`
}

function wholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}
