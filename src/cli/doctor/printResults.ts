import { adviceFor } from './advice.ts'
import type { CheckResult } from './check.ts'

/** Formats a result for a terminal: one line, and for a fault since when, its effect and what to do next. */
export function linesOf({ name, ok, detail, since, advised = name }: CheckResult): string {
  const line = `${ok ? 'ok   ' : 'FAULT'} ${name}: ${detail}\n`
  const found = ok ? undefined : adviceFor(advised)
  if (!found) return line
  const rows = [
    ...(since ? [['since', `${since.toISOString().slice(0, 19)}Z`]] : []),
    ['users', found.effect],
    ['next', found.next],
    ['more', found.runbook],
  ]
  return line + rows.map(([title = '', words]) => `      ${title.padEnd(7)}${words}\n`).join('')
}

/** A check in the document of `--json`. Contract: docs/contract.md#doctor. */
export function documentOf({ name, ok, detail, since, advised = name }: CheckResult): object {
  const found = ok ? undefined : adviceFor(advised)
  const { effect = null, next = null, runbook = null } = found ?? {}
  return ok ? { name, ok, detail } : { name, ok, detail, since: since?.toISOString() ?? null, effect, next, runbook }
}
