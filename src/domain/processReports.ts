import type { Context } from './context.ts'
import { statement } from './sql.ts'
import { processIsAlive } from './unservedQueues.ts'

/** The state of a process. `doctor` reads it from the database, because it cannot connect to every process. Sizes are bytes. */
export type ProcessReport = {
  host: string
  pid: number
  /** Whether it receives notifications of the database. */
  listening: boolean
  /** The delay of the event loop in seconds, p99 of the last whole minute. */
  eventLoopSeconds: number
  /** `used` and `limit`: of the cgroup; null without a limit. */
  memory: { resident: number; used: number | null; limit: number | null }
  /** The most frequent slow statements of the last ten minutes: their numbers by name. */
  slowStatements: Record<string, number>
}

const readReports = statement<{ roles: string[]; report: ProcessReport }>(
  'process_reports',
  `select roles, report from processes where ${processIsAlive} and report is not null order by started_at`,
)

/** Returns the reports of the live processes. Processes of releases before 1.0.0 have none. */
export async function readProcessReports({ sql }: Pick<Context, 'sql'>): Promise<{ roles: string[]; report: ProcessReport }[]> {
  return sql.all(readReports, [])
}
