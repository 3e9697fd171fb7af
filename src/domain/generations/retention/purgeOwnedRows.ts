import type { Context } from '../../context.ts'
import { type Statement, statement } from '../../sql.ts'

/** An owner and the last generation of theirs that is forgotten already. */
export type DeletedOwner = { id: string; forgottenTo: string | null }

/** Of one statement. Each row has a savepoint of its own, and PostgreSQL keeps 64 of those at hand. */
const rowsAtOnce = 50
/** In one turn, so that no owner of millions keeps the others waiting. */
const batchesAtOnce = 400

const replaysAtOnce = 2_000
const replays = statement<{ key: string }>(
  'forget_replays',
  `delete from idempotency_records where scope = $1 and key = any(array(
     select key from idempotency_records where scope = $1 limit ${replaysAtOnce})) returning key`,
)

/** Answers that are kept for repeats hold prompts. */
export async function purgeReplays(context: Context, ownerId: string): Promise<boolean> {
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    if ((await context.sql.all(replays, [ownerId])).length < replaysAtOnce) return true
  }
  return false
}

type Erased = { id: string; verdict: 'purged' | 'later' | 'broken' }

/** `rows`: `id` and `kind` of what is to be erased, of the owner `$1`. */
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

/** Gives whether nothing is left but what is postponed. Files whose time is over go with all others. */
export function purgeFiles(context: Context, ownerId: string): Promise<boolean> {
  return inBatches(context, ownerId, files)
}

/** The bodies of events hold prompts. Gives whether nothing is left but what is postponed. */
export function purgeDeliveries(context: Context, ownerId: string): Promise<boolean> {
  return inBatches(context, ownerId, deliveries)
}

const isPostponed = statement<{ rowId: string }>(
  'is_deletion_postponed',
  'select row_id from postponed_deletions where owner_id = $1 limit 1',
)

/** Tries again what could not be erased before, each row after a pause that grows. Gives whether nothing is postponed any more. */
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
  if (broken.length > 0) log.error({ ownerId, broken }, 'rows of a deleted owner could not be erased; the log of the database says why')
}

const history = erasing(
  'forget_history',
  `select g.id, 'generation' as kind from generations g where g.owner_id = $1 and g.id < $2 order by g.id desc`,
)
/** Objects that wait for their removal at once: each is a job, and more of them make every start slower. */
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
 * From the newest down: results, prompts and whatever else was asked or told. What is charged, when and by whom stays for the books. A row
 * that cannot go yet is postponed. Where enough objects wait for their removal it stops, and the next turn goes on from there. Gives
 * whether nothing is left but what is postponed.
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
