/** Returns the next midnight (UTC) after `moment`, when daily ceilings reset. */
export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1))
}
