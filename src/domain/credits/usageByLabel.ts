import { limits } from '../../contract/limits.ts'
import type { Span } from '../../contract/shapes/usage.ts'
import { openStates } from '../../entities/Generation.ts'
import type { Context } from '../context.ts'
import { runInBatches } from '../runInBatches.ts'
import { type Statement, statement } from '../sql.ts'
import { readSpan, type Usage } from './usageOf.ts'
import { usageOfFamilies } from './usageSums.ts'

/** The usage of one reference or value of metadata, or with `isOther` of everything else. */
export type UsageOfLabel = Usage & { isOther: boolean }

const openStateList = openStates.map((state) => `'${state}'`).join(', ')
const counts = ['ready', 'failed', 'cancelled', 'charged', 'active', 'held'] as const
const sums = counts.map((name) => `sum(${name}) as ${name}`).join(', ')

/**
 * Reads the stored sums of at most `values_max` values per day (see count_usage.sql), and the open generations. `label`: the label of an
 * open generation.
 */
const usageByLabelOf = (name: string, label: string): Statement<UsageOfLabel> =>
  statement<UsageOfLabel>(
    `usage_by_${name}`,
    `with open as (
         select ${label} as "group", count(*) as active, sum(price) as held from generations
           where state in (${openStateList}) and owner_id = $2 and account_id = $1 and utc_day(created_at) between utc_day($3) and utc_day($4)
           group by 1
       ), part as (
         select value as "group", sum(ready) as ready, sum(failed) as failed, sum(cancelled) as cancelled, sum(charged) as charged,
             0 as active, 0 as held
           from usage_labels where owner_id = $2 and account_id = $1 and name = $5 and day between utc_day($3) and utc_day($4) group by 1
         union all select "group", 0, 0, 0, 0, active, held from open where "group" is not null
       ), largest as (
         select "group", ${sums} from part group by 1
           order by charged desc, held desc, sum(ready + failed + cancelled + active) desc, 1 limit $6
       ), everything as (
         select ready, failed, cancelled, charged, 0 as active, 0 as held
           from ${usageOfFamilies} as ended
         union all select 0, 0, 0, 0, active, held from open
         union all select -ready, -failed, -cancelled, -charged, -active, -held from largest
       ), line as (
         select "group", false as is_other, ${counts.join(', ')} from largest
         union all select null, true, ${counts.map((name) => `coalesce(sum(${name}), 0)`).join(', ')} from everything
       )
       select "group", is_other, (ready + failed + cancelled)::bigint as generations, ${counts.map((name) => `${name}::bigint`).join(', ')}
         from line where not is_other or ready + failed + cancelled + active > 0
         order by is_other, charged desc, held desc, ready + failed + cancelled + active desc, 1`,
  )

const statements = {
  reference: usageByLabelOf('reference', 'reference'),
  metadata: usageByLabelOf('metadata', 'metadata->>$5'),
}

/**
 * Sums up an owner's generations on one account by their reference, or by one entry of their metadata: the largest lines by cost, and one
 * line for everything else, so that the lines add up to the whole usage. Refusals: those of usageOf.
 * Contract: docs/contract.md#get-the-usage.
 */
export async function usageByLabel(
  context: Context,
  { accountId, ownerId }: { accountId: string; ownerId: string },
  { name, ...span }: Span & { name: string | undefined },
): Promise<UsageOfLabel[]> {
  const asked = name === undefined ? statements.reference : statements.metadata
  const values = [accountId, ownerId, ...readSpan(span), name ?? '', limits.usageLabels]
  return context.history.read(context.sql, (sql) => sql.all(asked, values))
}

const rowsAtOnce = 5_000

const old = statement<{ day: string }>(
  'prune_usage_labels',
  `delete from usage_labels where ctid = any(array(
     select ctid from usage_labels where day < utc_day(present() - $1 * interval '1 day') limit ${rowsAtOnce} for update skip locked
   )) returning day::text`,
)
const oldOfTeams = statement<{ day: string }>(
  'prune_usage_labels_of_teams',
  `delete from usage_labels where ctid = any(array(
     select u.ctid from team_retention r join usage_labels u on u.owner_id = r.team_id
       where u.day < utc_day(present() - r.history_days * interval '1 day') limit ${rowsAtOnce} for update of u skip locked
   )) returning day::text`,
)
const ofOwner = statement<{ day: string }>(
  'purge_usage_labels',
  `delete from usage_labels where ctid = any(array(
     select ctid from usage_labels where owner_id = $1 limit ${rowsAtOnce} for update skip locked
   )) returning day::text`,
)

/** Deletes the usage by label of days that are too old, also by the rules of the deployment and of teams. Returns the number of rows. */
export async function pruneUsageLabels({ sql, settings }: Pick<Context, 'sql' | 'settings'>): Promise<number> {
  const days = Math.min(limits.usageLabelDays, settings.historyRetentionDays ?? limits.usageLabelDays)
  const byAge = await runInBatches(rowsAtOnce, async () => (await sql.all(old, [days])).length)
  return byAge + (await runInBatches(rowsAtOnce, async () => (await sql.all(oldOfTeams, [])).length))
}

const namesOfOwner = statement<never>('purge_usage_label_names', 'delete from usage_label_names where owner_id = $1')

/** Deletes the usage by label of a deleted owner: its values are the owner's own words. */
export async function purgeUsageLabels({ sql }: Pick<Context, 'sql'>, ownerId: string): Promise<void> {
  await sql.one(namesOfOwner, [ownerId])
  await runInBatches(rowsAtOnce, async () => (await sql.all(ofOwner, [ownerId])).length)
}
