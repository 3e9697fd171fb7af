import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brokenGuarantees, rowOf, skippedRow, tableOf, withRows } from '../../test/support/chaos/chaosTable.ts'
import { type Deployment, openDeployment } from '../../test/support/chaos/deployment.ts'
import { type Fault, faults } from '../../test/support/chaos/faults.ts'
import { type HookReceiver, startHookReceiver } from '../../test/support/chaos/hookReceiver.ts'
import { type Machine, probeMachine } from '../../test/support/chaos/machine.ts'
import { playFault } from '../../test/support/chaos/playFault.ts'
import { printLine } from './printLine.ts'

/**
 * Injects faults into a deployment of six processes, one after another, while generations run, and checks the promises. Prints a table, and
 * exits with 1 if a promise was broken. `--only frozen,failover` runs only these; `--generations 130` sets the number of sandbox generations
 * during each, `--billed 20` the number of each kind at the billing vendor; `--write` updates the table in docs/drills.md after each.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    generations: { type: 'string', default: '130' },
    billed: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
})
const document = join(import.meta.dirname, '../../docs/drills.md')
const selected = values.only?.split(',')
const unknown = selected?.filter((name) => !faults.some((fault) => fault.name === name)) ?? []
if (unknown.length > 0) {
  process.stderr.write(`unknown faults: ${unknown.join(', ')}; known: ${faults.map(({ name }) => name).join(', ')}\n`)
  process.exit(2)
}

const machine = await probeMachine()
const rows = new Map<string, string>()
for (const kind of ['disk', 's3', 'standby', 'synchronous'] as const) {
  const ofKind = faults.filter((fault) => fault.kind === kind && (selected?.includes(fault.name) ?? true))
  const possible = ofKind.filter((fault) => fault.missing?.(machine) === undefined)
  for (const fault of ofKind) if (!possible.includes(fault)) skip(fault)
  if (possible.length > 0) await runAll(kind, possible)
}
process.stdout.write(`${tableOf([...rows.values()])}\n`)
printLine(process.exitCode === 1 ? 'a promise was broken' : 'every promise held')

async function runAll(kind: Deployment['kind'], possible: Fault[]): Promise<void> {
  printLine(`a deployment of three serve and three work (${kind}) on PostgreSQL ${machine.postgres.major} …`)
  const receiver = await startHookReceiver()
  const deployment = await openDeployment(kind, machine)
  try {
    for (const fault of possible) await runOne(fault, { deployment, machine, receiver })
  } finally {
    await deployment.close()
    await receiver.leave()
  }
}

async function runOne(fault: Fault, stage: { deployment: Deployment; machine: Machine; receiver: HookReceiver }): Promise<void> {
  printLine(`${fault.name}: ${fault.words}`)
  const outcome = await playFault(fault, stage, { count: Number(values.generations), billed: Number(values.billed) })
  const broken = brokenGuarantees(fault, outcome)
  storeRow(fault, rowOf(fault, outcome))
  if (broken.length === 0) return
  process.exitCode = 1
  for (const words of broken) printLine(`  BROKEN: ${words}`)
}

function skip(fault: Fault): void {
  const why = fault.missing?.(machine) ?? ''
  printLine(`${fault.name}: skipped, ${why}`)
  storeRow(fault, skippedRow(fault, why))
}

function storeRow(fault: Fault, row: string): void {
  rows.set(fault.name, row)
  printLine(`  ${row}`)
  if (values.write) writeFileSync(document, withRows(readFileSync(document, 'utf8'), rows, faults))
}
