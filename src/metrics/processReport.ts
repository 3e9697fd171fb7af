import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ProcessReport } from '../domain/processReports.ts'
import { type CgroupMemory, readCgroupMemory } from './cgroupMemory.ts'

const [freshMs, minuteMs, slowMinutes, slowNamesMax] = [5_000, 60_000, 10, 5]

type ReportOptions = {
  isListening(): boolean
  /** See {@link makeRecentCounts}. */
  slowStatements(): Record<string, number>
  nowMs?: () => number
  readMemory?: () => Promise<CgroupMemory | undefined>
}

/** Returns a function that returns the state of this process, at most five seconds old. Its first call starts to measure the event loop. */
export function makeProcessReport({
  isListening,
  slowStatements,
  nowMs = () => performance.now(),
  readMemory = readCgroupMemory,
}: ReportOptions): () => ProcessReport {
  let delay: (() => number) | undefined
  let group: CgroupMemory | undefined
  let last: { at: number; report: ProcessReport } | undefined
  const make = () => {
    delay ??= measureDelay(nowMs)
    // Not awaited: the next report includes it.
    void readMemory().then((memory) => (group = memory))
    return {
      host: hostname(),
      pid: process.pid,
      listening: isListening(),
      eventLoopSeconds: delay(),
      memory: { resident: process.memoryUsage.rss(), used: group?.used ?? null, limit: group?.limit ?? null },
      slowStatements: slowStatements(),
    }
  }
  return () => {
    if (last === undefined || nowMs() - last.at >= freshMs) last = { at: nowMs(), report: make() }
    return last.report
  }
}

/** Returns a function that returns the p99 of the last whole minute in seconds; 0 in the first minute. */
function measureDelay(nowMs: () => number): () => number {
  const histogram = monitorEventLoopDelay({ resolution: 20 })
  histogram.enable()
  let [since, last] = [nowMs(), 0]
  return () => {
    if (nowMs() - since >= minuteMs) {
      last = Math.round(histogram.percentile(99) / 1e6) / 1_000
      histogram.reset()
      since = nowMs()
    }
    return last
  }
}

/** Counts by name. `read` returns the highest counts of the last ten minutes. */
export function makeRecentCounts(nowMs: () => number = () => performance.now()): {
  add(name: string): void
  read(): Record<string, number>
} {
  let minutes: { at: number; counts: Map<string, number> }[] = []
  const recent = () => {
    const now = Math.floor(nowMs() / minuteMs)
    minutes = minutes.filter(({ at }) => at > now - slowMinutes)
    return now
  }
  return {
    add(name) {
      const now = recent()
      let last = minutes.at(-1)
      if (last?.at !== now) minutes.push((last = { at: now, counts: new Map() }))
      last.counts.set(name, (last.counts.get(name) ?? 0) + 1)
    },
    read() {
      recent()
      const totals = new Map<string, number>()
      for (const { counts } of minutes) for (const [name, count] of counts) totals.set(name, (totals.get(name) ?? 0) + count)
      return Object.fromEntries([...totals].toSorted(([, a], [, b]) => b - a).slice(0, slowNamesMax))
    },
  }
}
