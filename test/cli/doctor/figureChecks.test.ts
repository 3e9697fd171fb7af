import { expect, test } from 'vitest'
import { resultOf } from '../../../src/cli/doctor/check.ts'
import { type Figures, figureChecks } from '../../../src/cli/doctor/figureChecks.ts'
import type { MetricRow } from '../../../src/metrics/deploymentMetrics.ts'

const now = new Date('2026-11-24T12:00:00Z')
const beats = { http: new Date('2026-11-24T11:50:00Z'), worker: new Date('2026-11-24T11:40:00Z') }

type Deployment = { values?: Record<string, MetricRow[]>; complete?: boolean; locked?: string[]; aheadMs?: number; missingSince?: Date }

/** The results of all checks of a deployment, by name. */
async function results({ values = {}, complete = true, locked = [], aheadMs = 0, missingSince }: Deployment) {
  const served = {
    clock: { now: () => now },
    catalog: { families: new Map(['image', 'video'].map((id) => [id, {}])) },
    breakers: {
      familyLockedSeconds: (id: string) => (locked.includes(id) ? 30 : 0),
      familyLockedSince: (id: string) => (id === 'video' ? now : undefined),
    },
  } as unknown as Parameters<typeof figureChecks>[0]
  const figures: Figures = { complete, values: new Map(Object.entries(values)) }
  const found = await Promise.all(
    figureChecks(served, {
      read: async () => figures,
      lastHeartbeat: async (role) => beats[role],
      firstBackupOverdueSince: async () => missingSince,
      nowMs: () => now.getTime() + aheadMs,
    }).map((check) => resultOf(check)),
  )
  return Object.fromEntries(found.map(({ name, ...result }) => [name, result]))
}

const processes = (http: number, worker: number) => [
  { label: 'http', value: http },
  { label: 'worker', value: worker },
]

test('a deployment without faults is ok, also a stopped one without open work, and one without backups', async () => {
  const found = await results({ values: { atelier_processes: processes(0, 0), atelier_open_work: [] } })
  expect(Object.values(found).filter(({ ok }) => !ok)).toEqual([])
  expect(found['processes']?.detail).toBe('no process runs')
  expect(found['backups']?.detail).toMatch(/^none was ever completed/)
})

test.each([
  [1, 0, 0, beats.worker],
  [0, 2, 0, beats.http],
  [0, 0, 3, beats.worker],
])('%i of serve and %i of work with %i open jobs is a fault since the last heartbeat', async (http, worker, open, since) => {
  const found = await results({
    values: { atelier_processes: processes(http, worker), atelier_open_work: [{ label: 'jobs_waiting', value: open }] },
  })
  expect(found['processes']).toMatchObject({ ok: false, since })
})

test.each([
  ['jobs', 'atelier_job_oldest_due_seconds', { label: 'finaliseGeneration', value: 90 }, '2026-11-24T11:59:30.000Z'],
  ['generations', 'atelier_generation_oldest_open_seconds', { label: 'queued', value: 18_000 }, '2026-11-24T11:00:00.000Z'],
  ['deliveries', 'atelier_delivery_oldest_due_seconds', { label: null, value: 180 }, '2026-11-24T11:59:00.000Z'],
  ['backups', 'atelier_backup_age_seconds', { label: null, value: 133_200 }, '2026-11-24T11:00:00.000Z'],
])('the check %s has the limit of its alert, and says since when', async (name, metric, row, since) => {
  const found = (await results({ values: { [metric]: [row] } }))[name]
  expect([found?.ok, found?.since?.toISOString()]).toEqual([false, since])
})

test('a backup is a fault until one was restored for a trial, as for its alert', async () => {
  const made = { atelier_backup_age_seconds: [{ label: null, value: 3_600 }] }
  expect((await results({ values: made }))['backups']).toMatchObject({
    ok: false,
    detail: expect.stringContaining('none was ever restored'),
  })
  const proved = { ...made, atelier_backup_proof_age_seconds: [{ label: null, value: 3_600 }] }
  expect((await results({ values: proved }))['backups']?.ok).toBe(true)
})

test('a first backup that is overdue is a fault since then, and one that was made is not asked about', async () => {
  expect((await results({ missingSince: now }))['backups']).toMatchObject({ ok: false, since: now })
  const made = { atelier_backup_age_seconds: [{ label: null, value: 60 }], atelier_backup_proof_age_seconds: [{ label: null, value: 60 }] }
  expect((await results({ missingSince: now, values: made }))['backups']?.ok).toBe(true)
})

test('while no process runs, old work is a fault of the check processes only', async () => {
  const late = [{ label: 'submitGeneration', value: 90_000 }]
  const found = await results({
    values: {
      atelier_processes: processes(0, 0),
      atelier_open_work: [{ label: 'jobs_waiting', value: 1 }],
      atelier_job_oldest_due_seconds: late,
      atelier_generation_oldest_open_seconds: late,
      atelier_delivery_oldest_due_seconds: late,
    },
  })
  expect(Object.entries(found).flatMap(([name, { ok }]) => (ok ? [] : [name]))).toEqual(['processes'])
})

test('late deliveries and maintenance are not faults of jobs', async () => {
  const rows = ['deliver', 'deliverCallback', 'prune', 'reconcile', 'keepPartitions', 'recountLedger'].map((label) => ({
    label,
    value: 1_000,
  }))
  expect((await results({ values: { atelier_job_oldest_due_seconds: rows } }))['jobs']?.ok).toBe(true)
})

test('locked families, missing figures, a wrong clock and paused sign-ins are faults', async () => {
  const found = await results({
    complete: false,
    locked: ['video'],
    aheadMs: -6_000,
    values: { atelier_sign_ins_paused: [{ label: null, value: 21 }] },
  })
  expect(found['families']).toMatchObject({ detail: 'locked after failures in a row: video', since: now })
  expect(['figures', 'families', 'clock', 'sign-ins'].filter((name) => found[name]?.ok)).toEqual([])
})
