import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { brokenGuarantees, rowOf, skippedRow, tableOf, withRows } from '../../test/support/abuse/abuseTable.ts'
import type { Attack, AttackedKind } from '../../test/support/abuse/attack.ts'
import { type AttackedDeployment, openAttackedDeployment } from '../../test/support/abuse/attackedDeployment.ts'
import { attacks } from '../../test/support/abuse/attacks.ts'
import { type OtherTeam, startOtherTeam } from '../../test/support/abuse/otherTeam.ts'
import { playAttack } from '../../test/support/abuse/playAttack.ts'
import { probeMachine } from '../../test/support/chaos/machine.ts'
import { printLine } from './printLine.ts'

/**
 * Attacks the service in several ways, one after another, with 1 GiB of memory, while another team works. Prints a table, and exits with 1
 * if a promise was broken. `--only pipelining,uploads` runs only these, `--seconds 5` sets the duration of each; `--write` updates the table
 * in docs/drills.md after each attack.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
  },
})
const document = join(import.meta.dirname, '../../docs/drills.md')
const requestsPerSecond = 20
/** Each key has its own rate limit, which 20 requests a second would exhaust. */
const keysOfOtherTeam = 3
const warmUpMs = 5_000
const seconds = Number(values.seconds)
const selected = values.only?.split(',')
const unknown = selected?.filter((name) => !attacks.some((attack) => attack.name === name)) ?? []
if (unknown.length > 0 || !(seconds > 0)) {
  process.stderr.write(
    unknown.length > 0
      ? `unknown attacks: ${unknown.join(', ')}; known: ${attacks.map(({ name }) => name).join(', ')}\n`
      : '--seconds must be a number above 0\n',
  )
  process.exit(2)
}

const machine = await probeMachine()
const rows = new Map<string, string>()
for (const kind of ['whole', 'split'] as const) {
  const ofKind = attacks.filter((attack) => attack.kind === kind && (selected?.includes(attack.name) ?? true))
  const possible = ofKind.filter((attack) => attack.missing?.(machine) === undefined)
  for (const attack of ofKind) if (!possible.includes(attack)) skip(attack)
  if (possible.length > 0) await runAll(kind, possible)
}
process.stdout.write(`${tableOf([...rows.values()])}\n`)
printLine(process.exitCode === 1 ? 'a promise was broken' : 'every promise held')

/** Starts new processes for each attack, so that a row does not depend on earlier ones. */
async function runAll(kind: AttackedKind, possible: Attack[]): Promise<void> {
  const deployment = await openAttackedDeployment(kind, machine)
  const limited = deployment.groups.length > 0 ? 'limited to 1 GiB by the kernel' : 'sampled, since the kernel limits none here'
  printLine(`${kind} on PostgreSQL ${machine.postgres.major}, ${availableParallelism()} processors; memory is ${limited}`)
  try {
    const { people, port } = deployment
    const { keys } = await people.makeCrew(await people.makeTeam('Another team'), { keys: keysOfOtherTeam })
    for (const attack of possible) {
      if (attack !== possible[0]) await deployment.restart()
      const team = await startOtherTeam({ port, keys, requestsPerSecond })
      await pause(warmUpMs)
      await runOne(attack, deployment, team)
      await team.stop()
    }
  } finally {
    await deployment.close()
  }
}

async function runOne(attack: Attack, deployment: AttackedDeployment, team: OtherTeam): Promise<void> {
  printLine(`${attack.name}: ${attack.words}; load average ${loadWords()}`)
  const outcome = await playAttack(attack, { deployment, team, seconds })
  const broken = brokenGuarantees(attack, outcome)
  storeRow(attack, rowOf(attack, outcome))
  printLine(`  load average ${loadWords()} after it; the other team's thread was late by ${outcome.lateMs.toFixed(0)} ms at most`)
  for (const words of broken) printLine(`  BROKEN: ${words}`)
  if (broken.length > 0) process.exitCode = 1
}

function skip(attack: Attack): void {
  const why = attack.missing?.(machine) ?? ''
  printLine(`${attack.name}: skipped, ${why}`)
  storeRow(attack, skippedRow(attack, why))
}

function storeRow(attack: Attack, row: string): void {
  rows.set(attack.name, row)
  printLine(`  ${row}`)
  if (values.write) writeFileSync(document, withRows(readFileSync(document, 'utf8'), rows, attacks))
}

function loadWords(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}
