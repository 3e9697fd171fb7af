import { expect, test } from 'vitest'
import { resultOf } from '../../../src/cli/doctor/check.ts'
import { reportChecks } from '../../../src/cli/doctor/reportChecks.ts'
import type { ProcessReport } from '../../../src/domain/processReports.ts'

const healthy: ProcessReport = {
  host: 'one',
  pid: 7,
  listening: true,
  eventLoopSeconds: 0.02,
  memory: { resident: 3e8, used: 4e8, limit: 1e9 },
  slowStatements: {},
}

/** The faults of a deployment whose processes report this, by check. */
async function faultsOf(...reports: [string[], Partial<ProcessReport>][]) {
  const rows = reports.map(([roles, report]) => ({ roles, report: { ...healthy, ...report } }))
  const found = await Promise.all(reportChecks(async () => rows).map((check) => resultOf(check)))
  return Object.fromEntries(found.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]))
}

test('healthy processes, and those of a release without reports, are no fault', async () => {
  expect(await faultsOf([['http'], {}], [['worker'], { slowStatements: { start_generations: 20 } }])).toEqual({})
  expect(await faultsOf()).toEqual({})
})

test('each fault names the process that reports it', async () => {
  expect(await faultsOf([['http'], { listening: false }], [['worker'], { pid: 8 }])).toEqual({
    listening: 'serve on one (pid 7) does not receive the notifications of the database',
  })
  expect(await faultsOf([['worker'], { eventLoopSeconds: 0.7 }])).toEqual({
    'event-loop': 'work on one (pid 7) is blocked for 0.7 s at a time',
  })
})

test('memory is a fault at 90 % of the limit, and without a limit at 1.5 GB of the process', async () => {
  const near = { resident: 3e8, used: 9.5e8, limit: 1e9 }
  expect(await faultsOf([['http', 'worker'], { memory: near }])).toEqual({ memory: 'start on one (pid 7) uses 950 MB of 1000 MB' })
  const roomy = { resident: 1.6e9, used: 1.9e9, limit: 3e9 }
  expect(await faultsOf([['worker'], { memory: roomy }])).toEqual({})
  expect(await faultsOf([['worker'], { memory: { resident: 1.6e9, used: null, limit: null } }])).toEqual({
    memory: 'work on one (pid 7) uses 1600 MB',
  })
})

test('slow statements of all processes are added up by name', async () => {
  const slow = (count: number) => ({ slowStatements: { start_generations: count, read_history: 3 } })
  expect(await faultsOf([['http'], slow(12)], [['http'], slow(9)])).toEqual({
    statements: 'start_generations was slow 21 times in the last ten minutes',
  })
})
