import { parseArgs } from 'node:util'
import { probeMachine } from '../../test/support/chaos/machine.ts'
import { readAlertFor } from '../../test/support/outages/monitoring.ts'
import { openOutageDeployment } from '../../test/support/outages/outageDeployment.ts'
import { outages } from '../../test/support/outages/outages.ts'
import { outageTable } from '../../test/support/outages/outageTable.ts'
import { faultsOf, type OutageResult, runOutage, untilNoAlert } from '../../test/support/outages/runOutage.ts'

/**
 * Causes outages in a running deployment, one after another. Measures how long it takes until `atelier doctor` and an alert of
 * deploy/monitoring report each of them, and until `doctor` reports no fault after the repair. Prints a table, and exits with 1 if an outage
 * was not reported, or if a check or alert reported something that the outage does not explain. `--only database-away,disk-full` runs only
 * these. Needs root, and `prometheus` and `faketime` of Debian.
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
const deployment = await openOutageDeployment(machine)
try {
  const before = await faultsOf(deployment)
  await untilNoAlert(deployment)
  if (before.length > 0) throw new Error(`doctor reports faults before the first outage: ${JSON.stringify(before)}`)
  for (const outage of outages.filter(({ name }) => selected.includes(name))) {
    process.stdout.write(`${outage.name}: ${outage.description}\n`)
    const result = await runOutage(outage, deployment)
    results.set(outage.name, result)
    const { fault, lastFaults, remainingFaults, foundSeconds, alertSeconds, recoverySeconds } = result
    process.stdout.write(
      `  doctor ${foundSeconds?.toFixed(1)} s, alert ${alertSeconds?.toFixed(1)} s, no fault ${recoverySeconds?.toFixed(1)} s\n`,
    )
    process.stdout.write(`  ${JSON.stringify(fault ?? lastFaults)}\n`)
    const { otherFaults, otherAlerts, unexpected } = result
    process.stdout.write(`  also: checks ${otherFaults.join(', ') || 'none'}; alerts ${otherAlerts.join(', ') || 'none'}\n`)
    if (unexpected.length > 0) {
      process.stdout.write(`  not explained by the outage: ${unexpected.join(', ')}\n`)
      process.exitCode = 1
    }
    if (!fault || alertSeconds === undefined || recoverySeconds === undefined) process.exitCode = 1
    if (recoverySeconds === undefined)
      throw new Error(`doctor still reports faults after ${outage.name}: ${JSON.stringify(remainingFaults)}`)
  }
} finally {
  await deployment.close()
}
const waits = new Map(await Promise.all(outages.map(async ({ alert }) => [alert, await readAlertFor(alert)] as const)))
process.stdout.write(`${outageTable(outages, { results, waits })}\n`)
