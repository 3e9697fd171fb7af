import type { ProcessReport } from '../../domain/processReports.ts'
import { type Check, CheckFault } from './check.ts'

type Reported = { roles: readonly string[]; report: ProcessReport }

/** The limits of the alert rules (deploy/monitoring/alerts.yml). */
const limits = { eventLoopSeconds: 0.5, memoryShare: 0.9, residentBytes: 1.5e9, slowStatements: 20 }

/** The checks of the reports that live processes store with their heartbeats. */
export function reportChecks(read: () => Promise<readonly Reported[]>): Check[] {
  const check = (name: string, find: (reports: readonly Reported[]) => string[], words: string): Check => ({
    name,
    run: async () => {
      const reports = await read()
      const faults = find(reports)
      if (faults.length > 0) throw new CheckFault(faults.join('; '))
      return reports.length === 0 ? 'not checked: no process reports' : words
    },
  })
  const each = (find: (report: ProcessReport) => string | undefined) => (reports: readonly Reported[]) =>
    reports.flatMap(({ roles, report }) => {
      const fault = find(report)
      return fault === undefined ? [] : [`${commandOf(roles)} on ${report.host} (pid ${report.pid}) ${fault}`]
    })
  return [
    check('listening', each(notListening), 'every process receives the notifications of the database'),
    check('event-loop', each(blocked), 'no process is blocked'),
    check('memory', each(nearLimit), 'no process is near its limit'),
    check('statements', slowStatements, 'no statement was often slow in the last ten minutes'),
  ]
}

/** The command that runs these roles. */
function commandOf(roles: readonly string[]): string {
  if (roles.length > 1) return 'start'
  return roles[0] === 'worker' ? 'work' : 'serve'
}

function notListening({ listening }: ProcessReport): string | undefined {
  return listening ? undefined : 'does not receive the notifications of the database'
}

function blocked({ eventLoopSeconds }: ProcessReport): string | undefined {
  return eventLoopSeconds > limits.eventLoopSeconds ? `is blocked for ${eventLoopSeconds.toFixed(1)} s at a time` : undefined
}

function nearLimit({ memory: { resident, used, limit } }: ProcessReport): string | undefined {
  if (used !== null && limit !== null) {
    return used > limit * limits.memoryShare ? `uses ${megabytes(used)} of ${megabytes(limit)}` : undefined
  }
  return resident > limits.residentBytes ? `uses ${megabytes(resident)}` : undefined
}

function slowStatements(reports: readonly Reported[]): string[] {
  const totals = new Map<string, number>()
  for (const { report } of reports) {
    for (const [name, count] of Object.entries(report.slowStatements)) totals.set(name, (totals.get(name) ?? 0) + count)
  }
  return [...totals].flatMap(([name, count]) =>
    count > limits.slowStatements ? [`${name} was slow ${count} times in the last ten minutes`] : [],
  )
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
