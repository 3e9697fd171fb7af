/** Pauses of a job queue. */
export const queueLimits = {
  /** Before a runner is replaced, or tries again to reach the database. */
  restartPauseMs: 500,
  /** A runner whose first fetch takes longer is replaced. */
  firstFetchTimeoutMs: 5000,
  /** The library records the end of a job in the database shortly after it emits the event. */
  jobEndWriteMs: 2000,
  /** The interval of searches for orphaned jobs. */
  sweepMs: 3000,
  /** A job that was locked more recently may be on its way to this process. */
  lockAgeMs: 4000,
}

export type QueueLimits = typeof queueLimits
