import { parseArgs } from 'node:util'
import { probeMachine } from '../../test/support/chaos/machine.ts'
import { waitOfAlert } from '../../test/support/outages/monitoring.ts'
import { openOutageStage } from '../../test/support/outages/outageStage.ts'
import { outages } from '../../test/support/outages/outages.ts'
import { outageTable } from '../../test/support/outages/outageTable.ts'
import { faultsOf, type OutageResult, playOutage } from '../../test/support/outages/playOutage.ts'

/**
 * Breaks things in a running deployment, one after another, and measures how long it takes until `atelier doctor` and an alert of
 * deploy/monitoring name each of them, and until `doctor` is calm after the repair. Prints a table, and exits with 1 if one was not named.
 * `--only database-away,disk-full` runs only these. Needs root, and `prometheus` and `faketime` of Debian.
 */
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const selected = values.only?.split(',') ?? outages.map(({ name }) => name)
const unknown = selected.filter((name) => !outages.some((outage) => outage.name === name))
const machine = await probeMachine()
const missing = [...(machine.mounts ? [] : ['mounts of file systems']), ...(machine.fakeTime ? [] : ["Debian's faketime"])]
if (unknown.length > 0 || missing.length > 0) {
  process.stderr.write(
    unknown.length > 0
      ? `unknown outages: ${unknown.join(', ')}; known: ${outages.map(({ name }) => name).join(', ')}\n`
      : `test:outages needs ${missing.join(' and ')}\n`,
  )
  process.exit(2)
}

const results = new Map<string, OutageResult>()
const stage = await openOutageStage(machine)
try {
  const before = await faultsOf(stage)
  if (before.length > 0) throw new Error(`doctor is not calm before the first outage: ${JSON.stringify(before)}`)
  for (const outage of outages.filter(({ name }) => selected.includes(name))) {
    process.stdout.write(`${outage.name}: ${outage.words}\n`)
    const result = await playOutage(outage, stage)
    results.set(outage.name, result)
    const { fault, seen, left, foundSeconds, alertSeconds, calmSeconds } = result
    process.stdout.write(`  doctor ${foundSeconds?.toFixed(1)} s, alert ${alertSeconds?.toFixed(1)} s, calm ${calmSeconds?.toFixed(1)} s\n`)
    process.stdout.write(`  ${JSON.stringify(fault ?? seen)}\n`)
    if (!fault || alertSeconds === undefined || calmSeconds === undefined) process.exitCode = 1
    if (calmSeconds === undefined) throw new Error(`doctor is not calm after ${outage.name}: ${JSON.stringify(left)}`)
  }
} finally {
  await stage.close()
}
const waits = new Map(await Promise.all(outages.map(async ({ alert }) => [alert, await waitOfAlert(alert)] as const)))
process.stdout.write(`${outageTable(outages, { results, waits })}\n`)
