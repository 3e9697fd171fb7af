import type { Log } from '../log.ts'
import type { Identity, PrimaryPosition } from './replicaStatements.ts'

/** Whether a replica may answer now, and why not. */
export type ReplicaHealth = {
  isHealthy(): boolean
  /** Hears where the primary is. Another timeline is that of a primary that took over: it may have forgotten what its copies still have. */
  observePrimary(place: PrimaryPosition): void
  /** What was seen of the replica, beside the primary: it is trusted if that is well. */
  evaluate(seen: Identity, primary: { cluster: string; nowMs: number }): void
  failed(error: unknown): void
}

/** The newest heartbeat that it has shown is no older, or it is not trusted. */
const lagSecondsMax = 5
/** No clock of a primary differs by more from that of the one before it, or the heartbeats of the two cannot be told apart. */
const clockSkewSecondsMax = 5

/** Says in the log when it changes, and why. `lagSeconds` is told with it. */
export function makeReplicaHealth({ log, lagSeconds }: { log: Log; lagSeconds(): number }): ReplicaHealth {
  let trusted = false
  let told: string | undefined
  let timeline: string | undefined
  /** A heartbeat has to be newer. */
  let minHeartbeatMs = 0

  function faultOf({ isReplica, cluster, newestHeartbeatMs }: Identity, primary: { cluster: string; nowMs: number }): string | undefined {
    if (!isReplica) return 'it is no replica'
    if (cluster !== primary.cluster) return 'it is a copy of another database'
    if (primary.nowMs - newestHeartbeatMs > lagSecondsMax * 1000) return 'it is too far behind'
    if (newestHeartbeatMs - primary.nowMs > clockSkewSecondsMax * 1000) return 'its newest heartbeat is of a clock that is ahead'
    if (newestHeartbeatMs <= minHeartbeatMs) return 'the primary has changed'
    return undefined
  }

  function settle(fault: string | undefined): void {
    trusted = fault === undefined
    if (fault === told) return
    told = fault
    if (fault === undefined) log.info({}, 'the replica answers lists and logs')
    else log.warn({ reason: fault, lagSeconds: lagSeconds() }, 'the primary answers in place of the replica')
  }

  return {
    isHealthy: () => trusted,
    observePrimary(place) {
      if (timeline !== undefined && place.timeline !== timeline) {
        trusted = false
        minHeartbeatMs = place.nowMs + clockSkewSecondsMax * 1000
      }
      timeline = place.timeline
    },
    evaluate: (seen, primary) => settle(faultOf(seen, primary)),
    failed: (error) => settle(error instanceof Error ? error.message : String(error)),
  }
}
