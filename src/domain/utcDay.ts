/** The calendar day in UTC as `YYYY-MM-DD`, by which daily ceilings count. Spec: Authentication, rule 6. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** The midnight (UTC) at which the day of `moment` ends and daily ceilings begin anew. */
export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1))
}
