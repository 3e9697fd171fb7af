import type { Attempt } from '../chaos/balancer.ts'
import { brokenGuarantees, cellsOf, chaosColumns } from '../chaos/chaosTable.ts'
import type { Fault } from '../chaos/faults.ts'
import type { Outcome } from '../chaos/playFault.ts'
import { reportTable } from '../reportTable.ts'
import type { HostsDeployment } from './hostsDeployment.ts'
import type { Reads } from './watchReads.ts'

type CheckedFault = Fault<HostsDeployment>
export type HostsOutcome = Outcome & { reads: Reads }

const server = 'serve-b'
const columns = [...chaosColumns, 'lists on B, stale', 'answers of B: median and p99 of a `GET`, of a start']
const { row, table, withRows } = reportTable('## The table of two hosts', columns)

export { table as hostsTable, withRows as withHostRows }

/** A description of each broken promise. */
export function brokenOnHosts(fault: CheckedFault, outcome: HostsOutcome): string[] {
  const { reads } = outcome
  return [...brokenGuarantees(fault, outcome), ...(reads.stale > 0 ? [`${reads.stale} of ${reads.answered} lists on B were stale`] : [])]
}

export function hostRow(fault: CheckedFault, outcome: HostsOutcome): string {
  const { attempts, reads } = outcome
  const times = ['GET /api/v1/account', 'POST /api/v1/generations'].map((request) => durationsOf(attempts, request))
  const shown = times.map((each) => [0.5, 0.99].map((share) => `${quantile(each, share).toFixed(0)}`).join(' and ')).join(', ')
  return row([...cellsOf(fault, outcome), `${reads.answered}, ${reads.stale}`, `${shown} ms`])
}

/** Milliseconds of the answers of B that succeeded, in order. */
function durationsOf(attempts: Attempt[], request: string): number[] {
  return attempts
    .filter((attempt) => attempt.server === server && attempt.request === request && (attempt.status ?? 500) < 300)
    .map(({ begunAt, endedAt }) => endedAt - begunAt)
    .toSorted((left, right) => left - right)
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
