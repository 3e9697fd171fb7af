/** Returns the next midnight (UTC) after `moment`, when daily ceilings reset. */
export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1))
}

/** Returns the start of the next calendar month (UTC) after `moment`, when monthly ceilings reset. */
export function nextUtcMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1))
}
