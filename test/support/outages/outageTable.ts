import { reportTable } from '../reportTable.ts'
import type { Outage } from './outages.ts'
import type { OutageResult } from './runOutage.ts'

const columns = [
  'outage',
  'check of `doctor`, after',
  'alert, after',
  'own `for`',
  'besides',
  'no fault, after',
  'line of `doctor`',
  'next step',
]

/** A Markdown table of the outages that were played. `waits`: how long each alert's own `for` is. */
export function outageTable(
  outages: readonly Outage[],
  { results, waits }: { results: ReadonlyMap<string, OutageResult>; waits: ReadonlyMap<string, string> },
): string {
  const { row, table } = reportTable('', columns)
  const rows = outages.flatMap(({ name, check, alert }) => {
    const result = results.get(name)
    if (!result) return []
    const { foundSeconds, alertSeconds, recoverySeconds, fault, otherFaults, otherAlerts } = result
    const line = fault === undefined ? '' : `${fault.detail}${fault.since === null ? '' : ` (since ${fault.since.slice(0, 19)}Z)`}`
    const found = [`\`${check}\`, ${secondsOf(foundSeconds)}`, `${alert}, ${secondsOf(alertSeconds)}`, waits.get(alert) ?? '0s']
    const besides = [...otherFaults.map((check) => `\`${check}\``), ...otherAlerts].join(', ') || 'none'
    return [row([`\`${name}\``, ...found, besides, secondsOf(recoverySeconds), line, fault?.next ?? ''])]
  })
  return table(rows)
}

function secondsOf(seconds: number | undefined): string {
  return seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`
}
