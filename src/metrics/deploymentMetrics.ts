import { connectionLimit, openConnections } from '../domain/connectionBudget.ts'
import { partitionedTables } from '../domain/partitionedTables.ts'
import { routineNames } from '../domain/routines.ts'
import type { Statement } from '../domain/sql.ts'
import { statement } from '../domain/sql.ts'
import { processIsAlive } from '../domain/unservedQueues.ts'

/** Higher counts are reported as this number, because exact ones would cost too much. */
const countedMax = 100_000
/** Partitions are created at most this far ahead. */
const aheadMax = 6

/** One value; `label` is null for a metric without a label. */
export type MetricRow = { label: string | null; value: number }

/** A metric of the whole deployment; `label` is the name of its label. */
export type DeploymentMetric = { name: string; help: string; label?: string }

/** A query with rows of `figure, label, value`. Its cost must not grow with ended generations. */
export type MetricQuery = { read: Statement<MetricRow & { figure: string }>; metrics: readonly DeploymentMetric[] }

const source = (name: string, text: string, metrics: readonly DeploymentMetric[]): MetricQuery => ({
  read: statement(`metrics_${name}`, text),
  metrics,
})

/** The job queue uses the wall clock of the database, our own tables use `present()`. */
export const metricQueries: readonly MetricQuery[] = [
  source(
    'open_work',
    `with open as (select state, created_at from generations where finished_at is null limit ${countedMax}),
       jobs as (select task_identifier, run_at, locked_at is not null as running from graphile_worker.jobs
         where locked_at is not null or attempts < max_attempts limit ${countedMax}),
       due as (select task_identifier, count(*) as jobs, greatest(0, extract(epoch from now() - min(run_at))) as seconds
         from jobs where not running and run_at <= now() group by 1),
       undelivered as (select s.paused and s.kind <> 'callbacks' or s.auto_paused_at is not null as paused, d.next_attempt_at from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
         where d.retries_left is not null and s.deleted_at is null limit ${countedMax}),
       late as (select greatest(0, extract(epoch from statement_timestamp() - next_attempt_at)) as seconds from undelivered
         where not paused and next_attempt_at <= statement_timestamp())
     select 'atelier_open_work' as figure, 'generations_' || state as label, count(*)::float8 as value from open group by state
     union all select 'atelier_open_work', 'jobs_waiting', count(*) from jobs where not running
     union all select 'atelier_open_work', 'jobs_running', count(*) from jobs where running
     union all select 'atelier_open_work', 'starts_parked', count(*)
       from (select from waiting_starts where rank is null limit ${countedMax}) as parked
     union all select 'atelier_open_work', 'webhooks_waiting', count(*) from undelivered
     union all select 'atelier_generation_oldest_open_seconds', state, greatest(0, extract(epoch from present() - min(created_at)))
       from open group by state
     union all select 'atelier_jobs_due', task_identifier, jobs from due
     union all select 'atelier_job_oldest_due_seconds', task_identifier, seconds from due
     union all select 'atelier_deliveries_overdue', null, count(*) from late
     union all select 'atelier_delivery_oldest_due_seconds', null, coalesce(max(seconds), 0) from late`,
    [
      { name: 'atelier_open_work', help: 'Generations, jobs and deliveries that have not ended.', label: 'kind' },
      {
        name: 'atelier_generation_oldest_open_seconds',
        help: 'Age of the oldest generation of a state that has not ended.',
        label: 'state',
      },
      { name: 'atelier_jobs_due', help: 'Jobs that are due and that no process has taken.', label: 'task' },
      { name: 'atelier_job_oldest_due_seconds', help: 'Time since the oldest of these jobs became due.', label: 'task' },
      { name: 'atelier_deliveries_overdue', help: 'Due webhook deliveries, except those of paused subscriptions.' },
      { name: 'atelier_delivery_oldest_due_seconds', help: 'Time since the oldest of these deliveries became due.' },
    ],
  ),
  source(
    'processes',
    `select 'atelier_processes' as figure, kinds.role as label, count(p.id)::float8 as value
       from (values ('http'), ('worker')) as kinds (role)
         left join processes p on kinds.role = any (p.roles) and ${processIsAlive}
       group by kinds.role
     union all select 'atelier_database_server_connections', null, ${openConnections}
     union all select 'atelier_database_server_connections_max', null, ${connectionLimit}
     union all select 'atelier_webhooks_paused', null, count(*) from webhook_subscriptions where paused and kind <> 'callbacks' and deleted_at is null
     union all select 'atelier_webhooks_auto_paused', null, count(*) from webhook_subscriptions where auto_paused_at is not null and deleted_at is null
     union all select 'atelier_sign_ins_paused', null, count(*)
       from (select from auth.sign_in_counts where next_at > present() limit ${countedMax}) as paused`,
    [
      { name: 'atelier_processes', help: 'Live processes by role.', label: 'role' },
      { name: 'atelier_database_server_connections', help: 'Open connections of the PostgreSQL server, of all clients.' },
      { name: 'atelier_database_server_connections_max', help: 'Connections that PostgreSQL accepts from the service.' },
      { name: 'atelier_webhooks_paused', help: 'Subscriptions that their teams have paused.' },
      { name: 'atelier_webhooks_auto_paused', help: 'Subscriptions that are paused because every attempt failed for days.' },
      { name: 'atelier_sign_ins_paused', help: 'Accounts and addresses that must wait before the next sign-in attempt.' },
    ],
  ),
  source(
    'ledger',
    `select 'atelier_ledger_drift_accounts' as figure, null as label, count(*)::float8 as value
       from (select from ledger_recounts where drift <> 0 limit ${countedMax}) as drifting
     union all select 'atelier_ledger_recount_age_seconds', null,
       greatest(0, extract(epoch from present() - coalesce((select min(recounted_at) from ledger_recounts), present())))`,
    [
      { name: 'atelier_ledger_drift_accounts', help: 'Accounts whose credits differ from their ledger entries.' },
      { name: 'atelier_ledger_recount_age_seconds', help: 'Time since the last recount of the account that waits longest.' },
    ],
  ),
  source(
    'routines',
    `select 'atelier_clock_ahead_seconds' as figure, null as label, extract(epoch from seen_at - trusted_at)::float8 as value from clock_watch
     union all select 'atelier_routine_age_seconds' as figure, name as label,
         greatest(0, extract(epoch from present() - coalesce(ended_at, added_at)))::float8 as value
       from routines where name in (${routineNames.map((name) => `'${name}'`).join(', ')})`,
    [
      {
        name: 'atelier_clock_ahead_seconds',
        help: 'How far the clock of the database jumped ahead; 0 while the clock is trusted for deletions.',
      },
      { name: 'atelier_routine_age_seconds', help: 'Time since the last success of a maintenance routine.', label: 'routine' },
    ],
  ),
  source(
    'partitions',
    `with made as materialized (select t.table_name, p.from_id, p.until_id
         from partitioned_tables() t cross join lateral partitions_of(t.table_name) p where not p.is_default),
       periods as materialized (select t.table_name, number, first_id(t.prefix, (begun + number * length) at time zone 'UTC') as from_id,
           first_id(t.prefix, (begun + (number + 1) * length) at time zone 'UTC') as until_id
         from partitioned_tables() t cross join generate_series(0, ${aheadMax}) as number
           cross join lateral (select ('1 ' || t.period)::interval as length, date_trunc(t.period, present() at time zone 'UTC') as begun) as one),
       missing as (select table_name, number from periods where not exists (select from made where made.table_name = periods.table_name
         and (made.from_id is null or made.from_id < periods.until_id) and made.until_id > periods.from_id))
     select 'atelier_partitions_ahead' as figure, table_name as label, greatest(0, coalesce(min(number), ${aheadMax + 1}) - 1)::float8 as value
       from partitioned_tables() left join missing using (table_name) group by table_name
     ${partitionedTables.map(inDefault).join('\n     ')}`,
    [
      {
        name: 'atelier_partitions_ahead',
        help: 'Existing partitions for coming months (deliveries: weeks), up to the first missing one.',
        label: 'table',
      },
      { name: 'atelier_default_partition_rows', help: 'Rows in the default partition, which no other partition accepts.', label: 'table' },
    ],
  ),
  source(
    'backups',
    `select 'atelier_backup_age_seconds' as figure, null as label,
         greatest(0, extract(epoch from present() - max(started_at)))::float8 as value
       from backups where finished_at is not null having count(*) > 0
     union all select 'atelier_backup_proof_age_seconds', null, greatest(0, extract(epoch from present() - max(proved_at)))::float8
       from backups having max(proved_at) is not null`,
    [
      { name: 'atelier_backup_age_seconds', help: 'Time since the start of the last complete backup; no value without one.' },
      { name: 'atelier_backup_proof_age_seconds', help: 'Time since the last successful trial restore of a backup; no value without one.' },
    ],
  ),
]

function inDefault(table: string): string {
  return `union all select 'atelier_default_partition_rows', '${table}', count(*)
       from (select from ${table}_default limit ${countedMax}) as strays`
}
