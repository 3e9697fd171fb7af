/**
 * The routines of maintenance: how often each begins, over all processes together. One that `deletes` for good what is too old does not
 * begin while the database's clock is in doubt.
 */
export const routinePeriods = {
  reconcile: { seconds: 60, deletes: false },
  keepPartitions: { seconds: 600, deletes: false },
  clearPartitions: { seconds: 600, deletes: true },
  prune: { seconds: 600, deletes: true },
  keepRetention: { seconds: 300, deletes: true },
  recountLedger: { seconds: 300, deletes: false },
} as const satisfies Record<string, { seconds: number; deletes: boolean }>

export type RoutineName = keyof typeof routinePeriods

export const routineNames = Object.keys(routinePeriods) as RoutineName[]
