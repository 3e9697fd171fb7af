/** Formats a duration: `240 ms`, `9.8 s`, `2 min 40 s`, `3 h 5 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  return wholeSeconds(Math.round(seconds))
}

/** Formats a countdown in whole seconds. */
export function formatCountdown(seconds: number): string {
  return seconds <= 0 ? 'any moment now' : `in ${wholeSeconds(Math.ceil(seconds))}`
}

function wholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return twoUnits(seconds, 60, ['min', 's'])
  return twoUnits(Math.round(seconds / 60), 60, ['h', 'min'])
}

function twoUnits(count: number, size: number, [large, small]: [string, string]): string {
  const rest = count % size
  const whole = `${Math.floor(count / size)} ${large}`
  return rest === 0 ? whole : `${whole} ${rest} ${small}`
}
