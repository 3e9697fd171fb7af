/** Returns the start of the next calendar month (UTC) after `moment`, when monthly ceilings reset. */
export function nextUtcMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1))
}
