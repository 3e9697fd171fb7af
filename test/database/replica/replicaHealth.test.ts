import { expect, test } from 'vitest'
import { makeReplicaHealth } from '../../../src/database/replica/replicaHealth.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const before = { written: 100n, timeline: '00000001' }
const after = { written: 90n, timeline: '00000002' }

/** A replica after a failover of its primary; `judged` returns whether it is used with the given newest heartbeat. */
function anotherPrimary() {
  const health = makeReplicaHealth({ log, lagSeconds: () => 0 })
  const judged = (newestHeartbeatMs: number, nowMs: number) => {
    health.evaluate({ isReplica: true, cluster: 'x', newestHeartbeatMs }, { cluster: 'x', nowMs })
    return health.isHealthy()
  }
  health.observePrimary({ ...before, nowMs: 1_000_000 })
  expect(judged(1_000_000, 1_000_000)).toBe(true)
  return { judged, observePrimary: (nowMs: number) => health.observePrimary({ ...after, nowMs }) }
}

test('a replica of the old primary is not used, also if its clock was a second ahead of the new one', () => {
  const { judged, observePrimary } = anotherPrimary()
  observePrimary(999_500)
  expect(judged(1_000_500, 999_600)).toBe(false)
  expect(judged(1_006_000, 1_006_500)).toBe(true)
})

test('a replica whose old primary was an hour ahead is not used until it has heartbeats of the new one', () => {
  const { judged, observePrimary } = anotherPrimary()
  const hour = 3_600_000
  observePrimary(1_000_000 - hour)
  expect(judged(1_000_500, 1_000_600 - hour)).toBe(false)
  expect(judged(1_010_000 - hour, 1_010_000 - hour)).toBe(true)
})
