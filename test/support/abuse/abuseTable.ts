import { reportTable } from '../reportTable.ts'
import type { Attack } from './attack.ts'
import { memoryBytesMax } from './memory.ts'
import type { Outcome } from './playAttack.ts'

const p99MsMax = 250
const mebibyte = 1024 ** 2

const report = reportTable('## The attacks', [
  'attack',
  'connections, most at once, requests',
  'answers to the attacker',
  'requests of the other team, refused, without an answer',
  'median, p99, longest',
  'generations started, ready',
  'memory at most, with shared pages for each process',
  'restarts',
])

/** A description of each broken promise. */
export function brokenGuarantees(attack: Attack, outcome: Outcome): string[] {
  const { tally, refused, p99Ms, slowest, started, ready, memory, restarts, kills } = outcome
  const ways = Object.entries(refused).map(([status, count]) => `${count} ${status}`)
  const faults: [boolean, string][] = [
    [attack.name !== 'nothing' && tally.connections === 0, 'the attack reached nothing'],
    [restarts > 0, `${restarts} processes ended`],
    [kills > 0, `the kernel killed ${kills} for their memory`],
    [memory.bytes > memoryBytesMax, `${megabytes(memory.bytes)} of memory`],
    [ways.length > 0, `requests of the other team refused: ${ways.join(', ')}`],
    [p99Ms >= p99MsMax, `a p99 of ${milliseconds(p99Ms)} for the other team, the longest for ${slowest}`],
    [ready < started, `${started - ready} generations of the other team did not become ready`],
  ]
  return faults.filter(([is]) => is).map(([, words]) => words)
}

/** One row of the table, with numbers. */
export function rowOf(attack: Attack, outcome: Outcome): string {
  const { tally, requests, refused, medianMs, p99Ms, longestMs, started, ready, memory, restarts } = outcome
  const { none = 0, ...answered } = refused
  const answers = Object.entries(tally.answers).map(([status, count]) => `${count} ${status}`)
  if (tally.closed > 0) answers.push(`${tally.closed} closed`)
  return report.row([
    titleOf(attack),
    [tally.connections, tally.openMost, tally.requests].map((count) => count.toLocaleString('en')).join('; '),
    answers.length > 0 ? answers.join(', ') : '0',
    `${requests}, ${sum(Object.values(answered))}, ${none}`,
    [medianMs, p99Ms, longestMs].map(milliseconds).join(', '),
    `${started}, ${ready}`,
    `${megabytes(memory.bytes)}, ${megabytes(memory.residentBytes)}`,
    String(restarts),
  ])
}

export function skippedRow(attack: Attack, why: string): string {
  return report.row([titleOf(attack), `not played: ${why}`])
}

export const tableOf = report.table

/** Replaces the rows of these attacks in the document's table, in the order of `attacks`. */
export function withRows(document: string, rows: ReadonlyMap<string, string>, attacks: readonly Pick<Attack, 'name'>[]): string {
  return report.withRows(
    document,
    rows,
    attacks.map(({ name }) => name),
  )
}

function titleOf({ name, words }: Attack): string {
  return `\`${name}\`: ${words}`
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(0)} ms`
}

function megabytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(0)} MiB`
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
