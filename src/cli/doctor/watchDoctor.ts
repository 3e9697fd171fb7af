import type { Check, CheckResult } from './check.ts'
import { linesOf } from './printResults.ts'
import { watchChecks } from './watchChecks.ts'

/** Costly checks read the whole books or ask vendors. */
const costlyEveryMs = 900_000
const clearScreen = '\u001b[H\u001b[2J\u001b[3J'

/**
 * Repeats the checks until the process gets SIGINT or SIGTERM. A terminal shows the last round, faults first; elsewhere each change is a line
 * with its time. Returns whether all were ok in the last round.
 */
export async function watchDoctor(checks: readonly Check[], everySeconds: number): Promise<boolean> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGTERM', stop).once('SIGINT', stop)
  return watchChecks(checks, {
    everyMs: everySeconds * 1_000,
    costlyEveryMs,
    signal: stopping.signal,
    nowMs: Date.now,
    onRound: process.stdout.isTTY ? showRound : printChanges,
  })
}

function showRound(results: CheckResult[]): void {
  const sorted = results.toSorted((left, right) => Number(left.ok) - Number(right.ok))
  const faults = results.filter(({ ok }) => !ok).length
  const title = `${timeOf(new Date())}  ${faults === 0 ? 'all checks are ok' : `${faults} of ${results.length} checks found a fault`}`
  process.stdout.write(`${clearScreen}${title}\n\n${sorted.map((result) => linesOf(result, new Date())).join('')}`)
}

function printChanges(_results: CheckResult[], changed: CheckResult[]): void {
  for (const result of changed) process.stdout.write(`${timeOf(new Date())} ${linesOf(result, new Date())}`)
}

function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
