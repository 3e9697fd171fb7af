import { type BeginStep, type LongStep, type Part, type ProgressOptions, type ShowProgress, trackParts } from '../database/progress.ts'

export type ProgressOutput = { write(text: string): unknown; isTTY?: boolean | undefined }

export type ProgressSettings = { output?: ProgressOutput; nowMs?: () => number; terminalEveryMs?: number; lineEveryMs?: number }

/**
 * Shows the progress of steps with their rate and the time left. A terminal has one line that is redrawn; elsewhere a line is written every
 * ten seconds, so a short command writes none. It goes to standard error, because standard output has the result.
 */
export function progressReporter({
  output = process.stderr,
  nowMs = () => performance.now(),
  terminalEveryMs = 250,
  lineEveryMs = 10_000,
}: ProgressSettings = {}): ShowProgress {
  const isTerminal = output.isTTY === true
  const everyMs = isTerminal ? terminalEveryMs : lineEveryMs
  return ({ label, unit, total }) => {
    const startedAt = nowMs()
    let shownAt = startedAt
    let done = 0
    return {
      add(count) {
        done += count
        const now = nowMs()
        if (now - shownAt < everyMs) return
        shownAt = now
        const line = progressLine({ label, unit, total, done, seconds: (now - startedAt) / 1_000 })
        output.write(isTerminal ? `\r${line}${clearLine}` : `${line}\n`)
      },
      end() {
        if (isTerminal && shownAt !== startedAt) output.write(`\r${clearLine}`)
      },
    }
  }
}

/**
 * Shows how long a step has run, or how far it is once it reports that: every second on a terminal, elsewhere every ten seconds. It is shown
 * while a single statement runs, too.
 */
export const beginStep: BeginStep = (label) => showStep(label)

/** As {@link beginStep}, on another output. */
export function showStep(label: string, { output = process.stderr, nowMs = () => performance.now() }: ProgressSettings = {}): LongStep {
  const isTerminal = output.isTTY === true
  const startedAt = nowMs()
  const { present, showProgress } = trackParts(nowMs)
  let isShown = false
  const timer = setInterval(
    () => {
      isShown = true
      const line = stepLine(label, { part: present(), startedAt, now: nowMs() })
      output.write(isTerminal ? `\r${line}${clearLine}` : `${line}\n`)
    },
    isTerminal ? 1_000 : 10_000,
  )
  return {
    showProgress,
    end() {
      clearInterval(timer)
      if (isShown && isTerminal) output.write(`\r${clearLine}`)
    },
  }
}

function stepLine(step: string, { part, startedAt, now }: { part: Part | undefined; startedAt: number; now: number }): string {
  const label = part === undefined || part.label === '' ? step : `${step}, ${part.label}`
  if (part && part.done > 0) return progressLine({ ...part, label, seconds: (now - part.startedAt) / 1_000 })
  return `${label}: ${duration((now - startedAt) / 1_000)} so far`
}

const clearLine = '\u001b[K'

type Shown = ProgressOptions & { done: number; seconds: number }

function progressLine({ label, unit, total, done, seconds }: Shown): string {
  const rate = done / Math.max(seconds, 0.001)
  const counted = `${label}: ${amount(done, unit)}`
  const perSecond = `${amount(rate, unit)}/s`
  // An estimate of the total may be too low.
  if (total === undefined || total === 0 || done > total) return `${counted}, ${perSecond}`
  const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : ''
  return `${counted} of ${amount(total, unit)} (${Math.floor((done / total) * 100)} %), ${perSecond}${left}`
}

function amount(value: number, unit: string): string {
  if (unit !== 'bytes') return `${Math.round(value).toLocaleString('en')} ${unit}`
  const power = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), 4)
  return `${(value / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power] ?? ''}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
