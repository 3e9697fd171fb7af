import type { Log } from '../log.ts'
import { type BeginStep, type Part, trackParts } from '../progress.ts'

/** Logs every ten seconds that a step of the migration still runs, with the progress of the index that it builds. */
export function logStep(log: Log, everyMs = 10_000): BeginStep {
  return (migration) => {
    const startedAt = performance.now()
    const { present, showProgress } = trackParts()
    const timer = setInterval(() => {
      const part = present()
      if (part) log.info({ migration, ...stateOf(part) }, 'building an index')
      else log.info({ migration, seconds: Math.round((performance.now() - startedAt) / 1_000) }, 'a migration is running')
    }, everyMs)
    return { showProgress, end: () => clearInterval(timer) }
  }
}

function stateOf({ label, total = 0, done, startedAt }: Part): object {
  const rate = done / Math.max(performance.now() - startedAt, 1)
  const left = rate > 0 && total >= done ? { secondsLeft: Math.ceil((total - done) / rate / 1_000) } : {}
  const share = total > 0 ? { percent: Math.floor((done / total) * 100) } : {}
  return { state: label, ...share, ...left }
}
