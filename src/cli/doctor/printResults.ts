import { adviceFor } from './advice.ts'
import type { CheckResult } from './check.ts'
import { durationOf } from './durationOf.ts'

/** Formats a result for a terminal: one line, and for a fault since when, its effect and what to do next. `now`: this machine's clock. */
export function linesOf({ name, ok, detail, since, advised = name }: CheckResult, now: Date): string {
  const line = `${ok ? 'ok   ' : 'FAULT'} ${name}: ${detail}\n`
  const found = ok ? undefined : adviceFor(advised)
  if (!found) return line
  const rows = [
    ...(since ? [['since', sinceWords(since, now)]] : []),
    ['users', found.effect],
    ['next', found.next],
    ['more', found.runbook],
  ]
  return line + rows.map(([title = '', words]) => `      ${title.padEnd(7)}${words}\n`).join('')
}

/** Returns `14:02 UTC (2.0 hours)`, with the day before it unless that is today. */
function sinceWords(since: Date, now: Date): string {
  const [day = '', time = ''] = since.toISOString().split('T')
  const moment = `${day === now.toISOString().slice(0, 10) ? '' : `${day} `}${time.slice(0, 5)} UTC`
  return `${moment} (${durationOf(Math.max(0, now.getTime() - since.getTime()) / 1_000)})`
}

/** A check in the document of `--json`. Contract: docs/contract.md#doctor. */
export function documentOf({ name, ok, detail, since, advised = name }: CheckResult): object {
  const found = ok ? undefined : adviceFor(advised)
  const { effect = null, next = null, runbook = null } = found ?? {}
  return ok ? { name, ok, detail } : { name, ok, detail, since: since?.toISOString() ?? null, effect, next, runbook }
}
