import type { Context } from '../../context.ts'
import { runInBatches } from '../../runInBatches.ts'
import { statement } from '../../sql.ts'

const rowsAtOnce = 2_000

const sessions = pruning('prune_sessions', 'sessions', 'id', 'expires_at < present()')
const pending = pruning('prune_pending_sign_ins', 'pending_sign_ins', 'state', 'expires_at < present()')
const invitations = pruning('prune_invitations', 'invitations', 'id', 'expires_at < present()')
/** After 2 days an attempt no longer counts. A pair of account and address that signed in stays known for 30 days. */
const counts = pruning(
  'prune_sign_in_counts',
  'sign_in_counts',
  'subject',
  `counted_at < present() - interval '2 days' and next_at < present()
     and (succeeded_at is null or succeeded_at < present() - interval '30 days')`,
)

/** Deletes expired sessions and invitations, abandoned OIDC sign-ins and old attempt counts, in batches. Returns how many rows. */
export async function pruneSignIns({ sql }: Pick<Context, 'sql'>): Promise<number> {
  let pruned = 0
  for (const some of [sessions, pending, invitations, counts]) {
    pruned += await runInBatches(rowsAtOnce, async () => (await sql.one(some, []))?.pruned ?? 0)
  }
  return pruned
}

function pruning(name: string, table: string, key: string, old: string) {
  return statement<{ pruned: number }>(
    name,
    `with old as (
       select ${key} from auth.${table} where ${old} limit ${rowsAtOnce} for update skip locked
     ), gone as (
       delete from auth.${table} where ${key} = any(array(select ${key} from old)) returning 1
     )
     select count(*) as pruned from gone`,
  )
}
