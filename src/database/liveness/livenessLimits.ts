/** When a process counts as dead. Heartbeats come every second, on two connections. */
export const livenessLimits = {
  /** A process whose lock is free and whose last heartbeat is older is dead. */
  heartbeatTimeoutSeconds: 4,
  /** A process that holds its lock but sent no heartbeat for this time is stopped, and counts as dead. */
  stoppedTimeoutSeconds: 15,
  /** A process whose lock is free may have lost its connections only. For this time, its provider calls may still report results. */
  returnGraceSeconds: 30,
  /** A job that was locked more recently may belong to a pool that is not registered yet. */
  unregisteredPoolSeconds: 4,
  /** After an outage of the database, other processes get this time for a new heartbeat. */
  outageGraceMs: 10_000,
  /** This many checks after a process was removed, none of its statements can still arrive. */
  lateReleaseTicks: 30,
  /** A connection that does not answer within this time is replaced. */
  answerMs: 5000,
}

export type LivenessLimits = typeof livenessLimits
