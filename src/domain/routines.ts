/**
 * The maintenance routines, and how often each starts across all processes. A routine with `needsTrustedClock` does not start while the
 * database's clock is not trusted, mostly because it deletes old data permanently.
 */
export const routinePeriods = {
  reconcile: { seconds: 60, needsTrustedClock: false },
  keepPartitions: { seconds: 600, needsTrustedClock: false },
  clearPartitions: { seconds: 600, needsTrustedClock: true },
  prune: { seconds: 600, needsTrustedClock: true },
  keepRetention: { seconds: 300, needsTrustedClock: true },
  recordCallbacks: { seconds: 15, needsTrustedClock: false },
  raiseAlerts: { seconds: 15, needsTrustedClock: false },
  // With a wrong clock, failures of an hour could look like failures of days.
  pauseFailing: { seconds: 600, needsTrustedClock: true },
  // With a wrong clock, days would be summed up too early.
  sumUpUsage: { seconds: 600, needsTrustedClock: true },
  recountLedger: { seconds: 300, needsTrustedClock: false },
  // With a wrong clock, the usage of another month would become the charges of this one.
  recountMonths: { seconds: 1_800, needsTrustedClock: true },
} as const satisfies Record<string, { seconds: number; needsTrustedClock: boolean }>

export type RoutineName = keyof typeof routinePeriods

export const routineNames = Object.keys(routinePeriods) as RoutineName[]
