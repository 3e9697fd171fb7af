import { creditsOf } from '../../contract/hundredths.ts'
import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import { statement } from '../sql.ts'

/** Accounts per statement, and ledger transactions that it reads of each. */
const accountsAtOnce = 20
const transactionsAtOnce = 2000
/** Time limit of a run. The next run continues where it stopped. */
const runMs = 20_000

const lastRecounted = statement<{ accountId: string }>(
  'last_recounted',
  'select account_id from ledger_recounts order by recounted_at desc limit 1',
)

/**
 * Adds new ledger transactions to the sums of some accounts, in one snapshot. Every move of credits locks its account's row before it
 * draws its transaction number, so within one account no lower number can be committed later.
 */
const recountSome = statement<{ accountId: string; atEnd: boolean; drift: Hundredths }>(
  'recount_ledger',
  `with chosen as (
     select a.id, a.balance, a.held, coalesce(r.through_id, 0) as through_id, coalesce(r.available, 0) as counted_available,
         coalesce(r.held, 0) as counted_held, coalesce(r.drift, 0) as known_drift, coalesce(r.recounted_at, present()) as known_at
       from credit_accounts a left join ledger_recounts r on r.account_id = a.id
       where a.id > $1 order by a.id limit $2
   ), news as (
     select c.id as account_id, t.id from chosen c
       cross join lateral (select t.id from ledger_transactions t where t.account_id = c.id and t.id > c.through_id order by t.id limit $3) t
   ), sums as (
     select n.account_id, max(n.id) as through_id, count(distinct n.id) as transactions,
         coalesce(sum(e.credits) filter (where e.bucket = 'available'), 0) as available,
         coalesce(sum(e.credits) filter (where e.bucket = 'held'), 0) as held
       from news n left join ledger_entries e on e.transaction_id = n.id group by n.account_id
   ), counted as (
     select c.id, coalesce(s.through_id, c.through_id) as through_id, (c.counted_available + coalesce(s.available, 0))::bigint as available,
         (c.counted_held + coalesce(s.held, 0))::bigint as held, coalesce(s.transactions, 0) < $3 as at_end, c.balance, c.held as account_held,
         c.known_drift, c.known_at
       from chosen c left join sums s on s.account_id = c.id
   ), judged as (
     select *, case when at_end then abs(balance - account_held - available) + abs(account_held - held) else known_drift end as drift
       from counted
   ), written as (
     insert into ledger_recounts as r (account_id, through_id, available, held, drift, recounted_at)
       select id, through_id, available, held, drift, case when at_end then present() else known_at end from judged order by id
     on conflict (account_id) do update set through_id = excluded.through_id, available = excluded.available, held = excluded.held,
         drift = excluded.drift, recounted_at = excluded.recounted_at
       where r.through_id <= excluded.through_id
   )
   select id as account_id, at_end, drift from judged order by id`,
)

/**
 * Recounts accounts against their ledger entries, each from its last recount onwards; a run continues where the previous run stopped.
 * Every difference is logged and exported by `/metrics` until it is resolved; no balance is changed. `atelier doctor` recounts
 * everything. Amounts are hundredths. Returns how many of the checked accounts differ.
 */
export async function recountLedger(context: Context, isOver: () => boolean): Promise<number> {
  const until = performance.now() + runMs
  const begin = (await context.sql.one(lastRecounted, []))?.accountId ?? ''
  let after = begin
  let wrapped = false
  // A run that starts in the middle may read an account before and after it continues from the first one.
  const drifting = new Set<string>()
  while (performance.now() < until && !isOver()) {
    const counted = await context.sql.all(recountSome, [after, accountsAtOnce, transactionsAtOnce])
    for (const { accountId, drift } of counted.filter((each) => each.drift !== 0 && !drifting.has(each.accountId))) {
      drifting.add(accountId)
      context.log.error({ accountId, driftCredits: creditsOf(drift) }, 'an account differs from its ledger entries')
    }
    after = counted.at(-1)?.accountId ?? ''
    if (wrapped && (after >= begin || counted.length === 0)) break
    if (counted.length < accountsAtOnce) {
      if (begin === '') break
      wrapped = true
      after = ''
    }
  }
  return drifting.size
}
