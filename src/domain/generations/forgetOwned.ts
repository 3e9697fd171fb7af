import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** An owner and the last generation of theirs that is forgotten already. */
export type Forgetting = { id: string; forgottenTo: string | null }

const rowsAtOnce = 200
/** In one turn, so that no owner of millions keeps the others waiting. */
const batchesAtOnce = 100

const replays = statement<never>('forget_replays', 'delete from idempotency_records where scope = $1')

/** Answers that are kept for repeats hold prompts. */
export async function forgetReplays(context: Context, ownerId: string): Promise<void> {
  await context.sql.all(replays, [ownerId])
}

const files = statement<{ id: string; verdict: string }>(
  'forget_files',
  `select id, delete_file(id, $1) as verdict from (
     select id from files where owner_id = $1 and expires_at > present() order by id limit ${rowsAtOnce}
   ) batch`,
)

/** Each gives whether nothing is left. Files whose time is over go with all others. */
export async function forgetFiles(context: Context, ownerId: string): Promise<boolean> {
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    const gone = await context.sql.all(files, [ownerId])
    if (gone.some(({ verdict }) => verdict === 'needed')) return false
    if (gone.length < rowsAtOnce) return true
  }
  return false
}

const deliveries = statement<{ count: number }>(
  'forget_deliveries',
  `with old as (
     select d.id from webhook_subscriptions s cross join lateral (
         select id from webhook_deliveries d where d.subscription_id = s.id limit ${rowsAtOnce}
       ) d
       where s.team_id = $1 limit ${rowsAtOnce}
   ), attempts as (
     delete from webhook_attempts where delivery_id = any(array(select id from old))
   ), unqueued as (
     delete from webhook_queue q using webhook_subscriptions s
       where s.team_id = $1 and q.subscription_id = s.id and q.delivery_id = any(array(select id from old))
   ), gone as (
     delete from webhook_deliveries where id = any(array(select id from old)) returning 1
   )
   select count(*)::integer as count from gone`,
)

/** The bodies of events hold prompts. */
export async function forgetDeliveries(context: Context, ownerId: string): Promise<boolean> {
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    if (((await context.sql.one(deliveries, [ownerId]))?.count ?? 0) < rowsAtOnce) return true
  }
  return false
}

const history = statement<{ id: string; verdict: string }>(
  'forget_history',
  `with batch as materialized (
     select id from generations where owner_id = $1 and id < $2 order by id desc limit ${rowsAtOnce}
   ), taken as materialized (
     select b.id, t.verdict, t.storage_key from batch b cross join lateral take_result(b.id, $1, 'deletion') t
   ), queued as materialized (
     select queue_removals(array_agg(id), array_agg(storage_key)) from taken where storage_key is not null
   )
   select id, verdict from taken cross join (select count(*) from queued) as once order by id desc`,
)
/** Objects that wait for their removal at once: each is a job, and more of them make every start slower. */
const removalsMax = 10_000
const enoughWait = statement<{ enough: boolean }>(
  'enough_removals_wait',
  `select count(*) >= ${removalsMax} as enough from (
     select from graphile_worker.jobs where task_identifier = 'removeObject' limit ${removalsMax}
   ) as queued`,
)
const blank = statement<never>(
  'blank_generations',
  `with blanked as (
     update generations set prompt = null, parameters = '{}', inputs = '{"imageIds":[],"videoIds":[],"audioIds":[],"model3dIds":[]}',
         axes = '{}', reference = null, metadata = '{}',
         failure = case when failure is null then null else jsonb_build_object('code', failure->'code', 'reason', failure->'reason') end
       where id = any($1) and owner_id = $2
   )
   update generation_attempts set handle = null, outputs = null where generation_id = any($1)`,
)
const noteTeam = statement<never>('team_forgotten_to', 'update teams set forgotten_to = $2 where id = $1')
const noteUser = statement<never>('user_forgotten_to', 'update users set forgotten_to = $2 where id = $1')

/**
 * From the newest down: results, prompts and whatever else was asked or told. What is charged, when and by whom stays for the books. Where
 * a result cannot go yet, or enough objects wait for their removal, it stops, and the next turn goes on from there.
 */
export async function forgetHistory(context: Context, { id: ownerId, forgottenTo }: Forgetting): Promise<boolean> {
  let before = forgottenTo ?? '~'
  for (let batch = 0; batch < batchesAtOnce; batch += 1) {
    if ((await context.sql.one(enoughWait, []))?.enough) return false
    const rows = await context.sql.all(history, [ownerId, before])
    const stuck = rows.findIndex(({ verdict }) => verdict === 'needed' || verdict === 'unfinished')
    const ids = (stuck < 0 ? rows : rows.slice(0, stuck)).map(({ id }) => id)
    before = ids.at(-1) ?? before
    if (ids.length > 0) await context.sql.all(blank, [ids, ownerId])
    await context.sql.all(ownerId.startsWith('team_') ? noteTeam : noteUser, [ownerId, before])
    if (stuck >= 0) return false
    if (rows.length < rowsAtOnce) return true
  }
  return false
}
