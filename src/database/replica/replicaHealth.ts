import type { Log } from '../log.ts'
import type { Identity, PrimaryPosition } from './replicaStatements.ts'

/** Whether a replica may be used, and why not. */
export type ReplicaHealth = {
  isHealthy(): boolean
  /** Records the primary's position. A new timeline means a failover: the new primary may lack rows that replicas still have. */
  observePrimary(place: PrimaryPosition): void
  /** Compares the replica with the primary, and sets whether it may be used. */
  evaluate(seen: Identity, primary: { cluster: string; nowMs: number }): void
  failed(error: unknown): void
}

/** A replica is used only if its newest heartbeat is not older. */
const lagSecondsMax = 5
/** Assumed maximum difference between the clocks of successive primaries; beyond it their heartbeats cannot be distinguished. */
const clockSkewSecondsMax = 5

/** Logs each change with its reason and `lagSeconds`. */
export function makeReplicaHealth({ log, lagSeconds }: { log: Log; lagSeconds(): number }): ReplicaHealth {
  let trusted = false
  let logged: string | undefined
  let timeline: string | undefined
  /** The newest heartbeat must be newer than this. */
  let minHeartbeatMs = 0

  function faultOf({ isReplica, cluster, newestHeartbeatMs }: Identity, primary: { cluster: string; nowMs: number }): string | undefined {
    if (!isReplica) return 'it is not a replica'
    if (cluster !== primary.cluster) return 'it copies another database'
    if (primary.nowMs - newestHeartbeatMs > lagSecondsMax * 1000) return 'it is too far behind'
    if (newestHeartbeatMs - primary.nowMs > clockSkewSecondsMax * 1000) return 'its newest heartbeat is in the future'
    if (newestHeartbeatMs <= minHeartbeatMs) return 'the primary has changed'
    return undefined
  }

  function settle(fault: string | undefined): void {
    trusted = fault === undefined
    if (fault === logged) return
    logged = fault
    if (fault === undefined) log.info({}, 'lists and logs are read from the replica')
    else log.warn({ reason: fault, lagSeconds: lagSeconds() }, 'lists and logs are read from the primary, not from the replica')
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
