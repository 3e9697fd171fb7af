/** The midnight (UTC) at which the day of `moment` ends and daily ceilings begin anew. */
export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1))
}
