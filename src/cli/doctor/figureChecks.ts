import type { Services } from '../../domain/context.ts'
import type { MetricRow } from '../../metrics/deploymentMetrics.ts'
import { type Check, CheckFault, faultSince } from './check.ts'
import { durationOf } from './durationOf.ts'

/** The metrics of the whole deployment, from which alerts are raised. */
export type Figures = { complete: boolean; values: ReadonlyMap<string, readonly MetricRow[]> }

type Served = Pick<Services, 'clock' | 'breakers' | 'catalog'>
type Known = Served & { rows(metric: string): readonly MetricRow[] }

/** Tasks that other checks cover, as in the alert rule AtelierQueueStalled. */
const otherTasks = /^(?:deliver|prune|reconcile|keep|recountLedger)/
const limits = {
  jobSeconds: 60,
  generationSeconds: 14_400,
  deliverySeconds: 120,
  signIns: 20,
  backupSeconds: 129_600,
  proofSeconds: 1_209_600,
  skewSeconds: 5,
}

/** The last heartbeat of a process with this role, if it is stored. */
type LastHeartbeat = (role: 'http' | 'worker') => Promise<Date | undefined>

type FigureOptions = {
  read(): Promise<Figures>
  lastHeartbeat: LastHeartbeat
  /** When the first backup became overdue; undefined if it is not, or if other tools make the backups. */
  firstBackupOverdueSince(): Promise<Date | undefined>
  nowMs(): number
}

/** Checks the metrics against the limits of the alert rules (deploy/monitoring/alerts.yml). `nowMs`: the clock of this machine. */
export function figureChecks(served: Served, { read, lastHeartbeat, firstBackupOverdueSince, nowMs }: FigureOptions): Check[] {
  const check = (name: string, find: (known: Known) => string | Promise<string>): Check => ({
    name,
    run: async () => {
      const { values } = await read()
      return find({ ...served, breakers: served.breakers, catalog: served.catalog, rows: (metric) => values.get(metric) ?? [] })
    },
  })
  return [
    { name: 'figures', run: async () => describeFigures(await read()) },
    check('processes', (known) => processes(known, lastHeartbeat)),
    check('jobs', unlessStopped(jobs)),
    check('generations', unlessStopped(generations)),
    check('families', families),
    check('deliveries', unlessStopped(deliveries)),
    check('sign-ins', signIns),
    check('backups', (known) => backups(known, firstBackupOverdueSince)),
    check('clock', ({ clock }) => clockSkew((nowMs() - clock.now().getTime()) / 1_000)),
  ]
}

function describeFigures({ complete }: Figures): string {
  if (!complete) throw new CheckFault('the database does not return all metrics of the deployment')
  return 'the database returns all metrics of the deployment'
}

/** A deployment without any process is stopped, unless work is open. */
async function processes({ rows }: Known, lastHeartbeat: LastHeartbeat): Promise<string> {
  const { http, worker } = aliveIn(rows)
  const found = `${http} of serve and ${worker} of work are alive`
  const open = rows('atelier_open_work').reduce((sum, { value }) => sum + value, 0)
  const isStopped = http + worker === 0
  if (isStopped ? open > 0 : http === 0 || worker === 0) {
    const ends = await Promise.all([...(http === 0 ? [lastHeartbeat('http')] : []), ...(worker === 0 ? [lastHeartbeat('worker')] : [])])
    const [since] = ends.filter((end) => end !== undefined).toSorted((one, other) => one.getTime() - other.getTime())
    throw new CheckFault(found, since)
  }
  return isStopped ? 'no process runs' : found
}

function aliveIn(rows: Known['rows']): { http: number; worker: number } {
  const alive = new Map(rows('atelier_processes').map(({ label, value }) => [label, value]))
  return { http: alive.get('http') ?? 0, worker: alive.get('worker') ?? 0 }
}

function unlessStopped(find: (known: Known) => string): (known: Known) => string {
  return (known) => (waitsForStart(known) ? 'not checked: no process runs' : find(known))
}

/** While no process runs, old work has that one reason, which the check `processes` names. */
function waitsForStart({ rows }: Known): boolean {
  const { http, worker } = aliveIn(rows)
  return rows('atelier_processes').length > 0 && http + worker === 0
}

function jobs({ rows, clock }: Known): string {
  const due = rows('atelier_job_oldest_due_seconds').filter(({ label }) => !otherTasks.test(label ?? ''))
  requireBelow(due, limits.jobSeconds, { clock, words: (row) => `jobs ${row.label} have been due for ${durationOf(row.value)}` })
  return 'no job has been due for a minute'
}

function generations({ rows, clock }: Known): string {
  const words = (row: MetricRow) => `a generation has been ${row.label} for ${durationOf(row.value)}`
  requireBelow(rows('atelier_generation_oldest_open_seconds'), limits.generationSeconds, { clock, words })
  return 'none has been open for four hours'
}

function families({ breakers, catalog }: Known): string {
  const locked = [...catalog.families.keys()].filter((family) => breakers.familyLockedSeconds(family) > 0)
  if (locked.length > 0) {
    const { since } = faultSince(locked.map((family) => ({ words: family, since: breakers.familyLockedSince(family) })))
    throw new CheckFault(`locked after failures in a row: ${locked.join(', ')}`, since)
  }
  return 'none is locked'
}

function deliveries({ rows, clock }: Known): string {
  const words = (row: MetricRow) => `a webhook has been due for ${durationOf(row.value)}`
  requireBelow(rows('atelier_delivery_oldest_due_seconds'), limits.deliverySeconds, { clock, words })
  return 'no webhook is late'
}

function signIns({ rows }: Known): string {
  const paused = rows('atelier_sign_ins_paused')[0]?.value ?? 0
  if (paused > limits.signIns) throw new CheckFault(`${paused} accounts and addresses wait before their next attempt`)
  return `${paused} accounts and addresses wait before their next attempt`
}

async function backups({ rows, clock }: Known, overdueSince: FigureOptions['firstBackupOverdueSince']): Promise<string> {
  const [last] = rows('atelier_backup_age_seconds')
  if (!last) {
    const since = await overdueSince()
    if (since) throw new CheckFault('none was ever completed; if another tool makes them, set BACKUP_TOOL=other', since)
    return 'none was ever completed: see docs/recovery.md'
  }
  const made = `the last complete one was begun ${durationOf(last.value)} ago`
  requireBelow([last], limits.backupSeconds, { clock, words: () => made })
  const [proof] = rows('atelier_backup_proof_age_seconds')
  if (!proof) throw new CheckFault(`${made}; none was ever restored for a trial`)
  const proved = `the last trial restore was ${durationOf(proof.value)} ago`
  requireBelow([proof], limits.proofSeconds, { clock, words: () => proved })
  return `${made}; ${proved}`
}

function clockSkew(aheadSeconds: number): string {
  const words = `the clock of this machine is ${aheadSeconds.toFixed(1)} s ahead of the database's`
  if (Math.abs(aheadSeconds) > limits.skewSeconds) throw new CheckFault(words)
  return words
}

type Limit = { clock: Served['clock']; words(row: MetricRow): string }

/** Throws for the rows that are older than the limit, since the oldest of them exceeded it. */
function requireBelow(rows: readonly MetricRow[], maxSeconds: number, { clock, words }: Limit): void {
  const late = rows.filter(({ value }) => value > maxSeconds)
  if (late.length === 0) return
  const oldest = Math.max(...late.map(({ value }) => value))
  throw new CheckFault(late.map(words).join('; '), new Date(clock.now().getTime() - (oldest - maxSeconds) * 1_000))
}
