import type { Context } from '../../context.ts'
import { type Statement, statement } from '../../sql.ts'

/** An owner and the last generation that is already purged. */
export type DeletedOwner = { id: string; forgottenTo: string | null }

/** Rows of one statement. Each has a savepoint, and PostgreSQL caches 64 of them. */
const rowsAtOnce = 50
/** Batches of one run, so that an owner of millions of rows does not delay others. */
const batchesAtOnce = 400

const replaysAtOnce = 2_000
const replays = statement<{ key: string }>(
  'purge_replays',
  `delete from idempotency_records where scope = $1 and key = any(array(
     select key from idempotency_records where scope = $1 limit ${replaysAtOnce})) returning key`,
)

/** Stored answers for repeats contain prompts. */
export async function purgeReplays(context: Context, ownerId: string): Promise<boolean> {
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    if ((await context.sql.all(replays, [ownerId])).length < replaysAtOnce) return true
  }
  return false
}

type Erased = { id: string; verdict: 'purged' | 'later' | 'broken' }

/** `rows`: a query for `id` and `kind` of the rows to erase, of the owner `$1`. */
function erasing(name: string, rows: string): Statement<Erased> {
  return statement(
    name,
    `with batch as materialized (${rows} limit ${rowsAtOnce}),
     erased as materialized (
       select b.id, e.verdict, e.storage_key from batch b cross join lateral purge_owned_row(b.kind, b.id, $1) e
     ), queued as materialized (
       select queue_removals(array_agg(id), array_agg(storage_key)) from erased where storage_key is not null
     )
     select id, verdict from erased cross join (select count(*) from queued) as once order by id desc`,
  )
}

function notPostponed(id: string): string {
  return `not exists (select from postponed_deletions p where p.owner_id = $1 and p.row_id = ${id})`
}

const files = erasing(
  'forget_files',
  `select f.id, 'file' as kind from files f where f.owner_id = $1 and f.expires_at > present() and ${notPostponed('f.id')} order by f.id`,
)
const deliveries = erasing(
  'forget_deliveries',
  `select d.id, 'delivery' as kind from webhook_subscriptions s cross join lateral (
       select d.id from webhook_deliveries d where d.subscription_id = s.id and ${notPostponed('d.id')} limit ${rowsAtOnce}
     ) d where s.team_id = $1`,
)
const postponed = erasing(
  'forget_postponed',
  `select p.row_id as id, p.kind from postponed_deletions p
     where p.owner_id = $1 and p.retry_at not between present() and present() + interval '2 days' order by p.retry_at`,
)

/** Resolves whether only postponed files are left. Expired files are included. */
export function purgeFiles(context: Context, ownerId: string): Promise<boolean> {
  return inBatches(context, ownerId, files)
}

/** The bodies of events contain prompts. Resolves whether only postponed deliveries are left. */
export function purgeDeliveries(context: Context, ownerId: string): Promise<boolean> {
  return inBatches(context, ownerId, deliveries)
}

const isPostponed = statement<{ rowId: string }>(
  'is_deletion_postponed',
  'select row_id from postponed_deletions where owner_id = $1 limit 1',
)

/** Retries postponed rows, each after a growing pause. Resolves whether none is left. */
export async function retryPostponed(context: Context, ownerId: string): Promise<boolean> {
  await inBatches(context, ownerId, postponed)
  return (await context.sql.one(isPostponed, [ownerId])) === undefined
}

async function inBatches(context: Context, ownerId: string, erase: Statement<Erased>): Promise<boolean> {
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    const rows = await context.sql.all(erase, [ownerId])
    logBroken(context, ownerId, rows)
    if (rows.length < rowsAtOnce) return true
  }
  return false
}

function logBroken({ log }: Context, ownerId: string, rows: Erased[]): void {
  const broken = rows.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id)
  if (broken.length > 0) log.error({ ownerId, broken }, 'rows of a deleted owner could not be erased; see the log of the database')
}

const history = erasing(
  'forget_history',
  `select g.id, 'generation' as kind from generations g where g.owner_id = $1 and g.id < $2 order by g.id desc`,
)
/** Removal jobs that may wait. More of them would slow every start down. */
const removalsMax = 10_000
const hasEnoughRemovals = statement<{ enough: boolean }>(
  'enough_removals_wait',
  `select count(*) >= ${removalsMax} as enough from (
     select from graphile_worker.jobs where task_identifier = 'removeObject' limit ${removalsMax}
   ) as queued`,
)
const noteTeam = statement<never>('team_forgotten_to', 'update teams set forgotten_to = $2 where id = $1')
const noteUser = statement<never>('user_forgotten_to', 'update users set forgotten_to = $2 where id = $1')

/**
 * Erases results, prompts and all other content of requests and answers, from the newest row on. Charges stay for the books. A row that
 * cannot be erased yet is postponed. Stops while too many removal jobs wait; the next run continues. Resolves whether only postponed rows
 * are left.
 */
export async function purgeHistory(context: Context, { id: ownerId, forgottenTo }: DeletedOwner): Promise<boolean> {
  let before = forgottenTo ?? '~'
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    if ((await context.sql.one(hasEnoughRemovals, []))?.enough) return false
    const rows = await context.sql.all(history, [ownerId, before])
    logBroken(context, ownerId, rows)
    before = rows.at(-1)?.id ?? before
    await context.sql.all(ownerId.startsWith('team_') ? noteTeam : noteUser, [ownerId, before])
    if (rows.length < rowsAtOnce) return true
  }
  return false
}
