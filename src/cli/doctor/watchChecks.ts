import { setTimeout as pause } from 'node:timers/promises'
import { type Check, type CheckResult, resultOf } from './check.ts'

type WatchOptions = {
  everyMs: number
  /** How long the result of a costly check is reused. */
  costlyEveryMs: number
  signal: AbortSignal
  nowMs: () => number
  /** Called after each round, with all results and with the results that changed. */
  onRound(results: CheckResult[], changed: CheckResult[]): void
}

/**
 * Repeats checks until `signal`. The start of a fault is that of the check, or else the time of the round that found it first. Returns
 * whether all checks were ok in the last complete round.
 */
export async function watchChecks(
  checks: readonly Check[],
  { everyMs, costlyEveryMs, signal, nowMs, onRound }: WatchOptions,
): Promise<boolean> {
  const last = new Map<string, { result: CheckResult; at: number }>()
  let allOk = true
  while (!signal.aborted) {
    const changed: CheckResult[] = []
    const results: CheckResult[] = []
    for (const check of checks) {
      if (signal.aborted) break
      const before = last.get(check.name)
      if (before && check.costly === true && nowMs() - before.at < costlyEveryMs) {
        results.push(before.result)
        continue
      }
      const found = await resultOf(check)
      const since = found.since ?? (before?.result.ok === false ? before.result.since : new Date(nowMs()))
      const result = found.ok ? found : { ...found, since }
      if (before?.result.ok !== result.ok) changed.push(result)
      last.set(check.name, { result, at: nowMs() })
      results.push(result)
    }
    if (results.length === checks.length) {
      allOk = results.every(({ ok }) => ok)
      onRound(results, changed)
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return allOk
}
