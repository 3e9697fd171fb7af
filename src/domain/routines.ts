/**
 * The maintenance routines, and how often each starts across all processes. A routine that `deletes` old data permanently does not start
 * while the database's clock is not trusted.
 */
export const routinePeriods = {
  reconcile: { seconds: 60, deletes: false },
  keepPartitions: { seconds: 600, deletes: false },
  clearPartitions: { seconds: 600, deletes: true },
  prune: { seconds: 600, deletes: true },
  keepRetention: { seconds: 300, deletes: true },
  recordCallbacks: { seconds: 15, deletes: false },
  raiseAlerts: { seconds: 15, deletes: false },
  // Deletes nothing, but days of a wrong clock would be summed up too early.
  sumUpUsage: { seconds: 600, deletes: true },
  recountLedger: { seconds: 300, deletes: false },
  // Usage of a wrong month would become the charges of this one.
  recountMonths: { seconds: 1_800, deletes: true },
} as const satisfies Record<string, { seconds: number; deletes: boolean }>

export type RoutineName = keyof typeof routinePeriods

export const routineNames = Object.keys(routinePeriods) as RoutineName[]
