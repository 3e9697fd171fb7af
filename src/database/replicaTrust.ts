import type { Log } from './log.ts'
import type { Identity, PrimaryPlace } from './replicaStatements.ts'

/** Whether a replica may answer now, and why not. */
export type ReplicaTrust = {
  isGiven(): boolean
  /** Hears where the primary is. Another timeline is that of a primary that took over: it may have forgotten what its copies still have. */
  primaryAt(place: PrimaryPlace): void
  /** What was seen of the replica, beside the primary: it is trusted if that is well. */
  judge(seen: Identity, primary: { cluster: string; nowMs: number }): void
  failed(error: unknown): void
}

/** The newest heartbeat that it has shown is no older, or it is not trusted. */
const lagSecondsMax = 5
/** No clock of a primary differs by more from that of the one before it, or the heartbeats of the two cannot be told apart. */
const clocksApartSecondsMax = 5

/** Says in the log when it changes, and why. `lagSeconds` is told with it. */
export function makeReplicaTrust({ log, lagSeconds }: { log: Log; lagSeconds(): number }): ReplicaTrust {
  let trusted = false
  let told: string | undefined
  let timeline: string | undefined
  /** A heartbeat has to be newer. */
  let trustBeatsFrom = 0

  function faultOf({ isReplica, cluster, newestBeatMs }: Identity, primary: { cluster: string; nowMs: number }): string | undefined {
    if (!isReplica) return 'it is no replica'
    if (cluster !== primary.cluster) return 'it is a copy of another database'
    if (primary.nowMs - newestBeatMs > lagSecondsMax * 1000) return 'it is too far behind'
    if (newestBeatMs - primary.nowMs > clocksApartSecondsMax * 1000) return 'its newest heartbeat is of a clock that is ahead'
    if (newestBeatMs <= trustBeatsFrom) return 'the primary has changed'
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
    isGiven: () => trusted,
    primaryAt(place) {
      if (timeline !== undefined && place.timeline !== timeline) {
        trusted = false
        trustBeatsFrom = place.nowMs + clocksApartSecondsMax * 1000
      }
      timeline = place.timeline
    },
    judge: (seen, primary) => settle(faultOf(seen, primary)),
    failed: (error) => settle(error instanceof Error ? error.message : String(error)),
  }
}
