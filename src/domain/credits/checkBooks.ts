import type { Pool, PoolClient } from 'pg'
import type { ShowProgress } from '../../database/progress.ts'
import { bindSql, type Sql, statement } from '../sql.ts'

/** `faults` are sentences for an operator, {@link faultsMax} at most. */
export type Books = { clean: boolean; faults: string[] }

const faultsMax = 100

/** The invariants between ledger, accounts, keys and generations: each query finds the rows that break one. Amounts are hundredths. */
const violations = [
  `select 'account ' || a.id || ': available is ' || (a.balance - a.held) || ', its entries say ' || coalesce(e.available, 0)
     from credit_accounts a left join entry_sums e on e.account_id = a.id where a.balance - a.held <> coalesce(e.available, 0)`,

  `select 'account ' || a.id || ': held is ' || a.held || ', its entries say ' || coalesce(e.held, 0)
     from credit_accounts a left join entry_sums e on e.account_id = a.id where a.held <> coalesce(e.held, 0)`,

  `select 'account ' || a.id || ': held is ' || a.held || ', its open generations hold ' || coalesce(o.price, 0)
     from credit_accounts a left join (select account_id, sum(price) as price from generations where finished_at is null group by 1) o
       on o.account_id = a.id
     where a.held <> coalesce(o.price, 0)`,

  `select 'key ' || k.id || ': held is ' || k.held_open || ', its open generations hold ' || coalesce(o.price, 0)
     from api_keys k left join (select key_id, sum(price) as price from generations where finished_at is null and account_id is not null group by 1) o
       on o.key_id = k.id
     where k.held_open <> coalesce(o.price, 0)`,

  `select 'person ' || coalesce(p.user_id, o.user_id) || ' in account ' || coalesce(p.account_id, o.account_id) || ': held is ' ||
       coalesce(p.held_open, 0) || ', their open generations hold ' || coalesce(o.price, 0)
     from person_spending p full join (select account_id, user_id, sum(price) as price from generations
       where finished_at is null and account_id is not null and source = 'editor' group by 1, 2) o
       on o.account_id = p.account_id and o.user_id = p.user_id
     where coalesce(p.held_open, 0) <> coalesce(o.price, 0)`,

  `select 'owner ' || coalesce(w.owner_id, o.owner_id) || ': ' || coalesce(w.open, 0) || ' generations are counted as open in ' ||
       coalesce(w.family_id, o.family_id) || ', ' || coalesce(o.open, 0) || ' are'
     from open_work w full join (select owner_id, family_id, count(*) as open from generations
       where finished_at is null and account_id is not null group by 1, 2) o
       on o.owner_id = w.owner_id and o.family_id = w.family_id
     where coalesce(w.open, 0) <> coalesce(o.open, 0)`,

  `select 'transaction ' || transaction_id || ': its entries sum to ' || sum(credits)
     from ledger_entries group by transaction_id having sum(credits) <> 0`,

  `select 'generation ' || g.id || ': ' || count(t.id) || ' holds of ' || coalesce(sum(m.moved), 0) || ' for a price of ' || g.price
     from generations g left join ledger_transactions t on t.generation_id = g.id and t.kind = 'hold' and t.account_id = g.account_id
       left join moves m on m.transaction_id = t.id
     where g.account_id is not null group by g.id having count(t.id) <> 1 or coalesce(sum(m.moved), 0) <> g.price`,

  `select 'generation ' || g.id || ': ' || count(t.id) || ' settlements while it is ' || g.state
     from generations g left join ledger_transactions t on t.generation_id = g.id and t.kind in ('capture', 'release')
     where g.account_id is not null group by g.id having count(t.id) <> (g.finished_at is not null)::integer`,

  `select 'generation ' || g.id || ': a ' || t.kind || ' of ' || coalesce(m.moved, 0) || ' for a price of ' || g.price || ', charged ' || g.credits_charged
     from generations g join ledger_transactions t on t.generation_id = g.id and t.kind in ('capture', 'release')
       left join moves m on m.transaction_id = t.id
     where coalesce(m.moved, 0) <> g.price or t.account_id is distinct from g.account_id
       or g.credits_charged is distinct from case t.kind when 'capture' then g.price else 0 end`,

  `select 'generation ' || g.id || ': moved credits although it belongs to no account'
     from generations g join ledger_transactions t on t.generation_id = g.id where g.account_id is null`,

  ...missing('generation', 'generations', { account_id: 'credit_accounts', key_id: 'api_keys', user_id: 'users' }),
  ...missing('transaction', 'ledger_transactions', { account_id: 'credit_accounts' }),

  `select 'generation ' || t.generation_id || ': is missing, and its ledger transactions are not one hold and one settlement of the same amount'
     from ledger_transactions t left join moves m on m.transaction_id = t.id
     where t.generation_id is not null and not exists (select from generations g where g.id = t.generation_id)
     group by t.generation_id
     having count(*) filter (where t.kind = 'hold') <> 1 or count(*) filter (where t.kind in ('capture', 'release')) <> 1
       or count(distinct coalesce(m.moved, 0)) > 1`,

  `select distinct 'entry of transaction ' || e.transaction_id || ': there is no such transaction'
     from ledger_entries e where not exists (select from ledger_transactions t where t.id = e.transaction_id)`,
]

/** The rows of a start have no foreign keys; see ledger_transactions in migrations/0001-baseline.sql. */
function missing(what: string, table: string, references: Record<string, string>): string[] {
  return Object.entries(references).map(
    ([column, target]) =>
      `select '${what} ' || r.id || ': its ${column} ' || r.${column} || ' is missing'
         from ${table} r where r.${column} is not null and not exists (select from ${target} t where t.id = r.${column})`,
  )
}

/** A statement that finds the faults of the given violations. PostgreSQL computes only the sums that they use. */
function findFaults(name: string, some: readonly string[]) {
  return statement<{ fault: string }>(
    name,
    `with moves as (
     select transaction_id, sum(credits) filter (where credits > 0) as moved from ledger_entries group by transaction_id
   ), entry_sums as (
     select t.account_id, sum(e.credits) filter (where e.bucket = 'available') as available, sum(e.credits) filter (where e.bucket = 'held') as held
       from ledger_transactions t join ledger_entries e on e.transaction_id = t.id group by t.account_id
   ), faults (fault) as (${some.join('\n union all ')})
   select fault from faults order by fault limit ${faultsMax}`,
  )
}

/** One statement, so one snapshot: running work is not reported as a fault. */
const allFaults = findFaults('check_books', violations)

/** Violations that need the same sums are one step, so that each sum is computed once. */
const sumsOf = (violation: string) => ['moves', 'entry_sums'].find((sums) => violation.includes(`join ${sums} `))
const steps = [...Map.groupBy(violations, (each) => sumsOf(each) ?? each).values()].map((some, index) =>
  findFaults(`check_books_${index}`, some),
)

/**
 * Checks the books: balances and holds against the ledger, and the ledger against the generations. Reads everything, changes nothing,
 * and may run during traffic.
 */
export async function checkBooks({ sql }: { sql: Sql }): Promise<Books> {
  const faults = await sql.all(allFaults, [])
  return { clean: faults.length === 0, faults: faults.map(({ fault }) => fault) }
}

/**
 * As {@link checkBooks}, in several statements on one snapshot, and shows how many rows are read. For commands, because large books take
 * longer than a statement may.
 */
export async function checkBooksInSteps(pool: Pick<Pool, 'connect'>, showProgress: ShowProgress): Promise<Books> {
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query('begin isolation level repeatable read, read only')
    const rows: number[] = []
    for (const { text } of steps) rows.push(await estimateRows(client, text))
    const shown = showProgress({ label: '', unit: 'rows', total: rows.reduce((sum, each) => sum + each, 0) })
    const faults: string[] = []
    for (const [index, step] of steps.entries()) {
      for (const { fault } of await bindSql(client).all(step, [])) faults.push(fault)
      shown.add(rows[index] ?? 0)
    }
    shown.end()
    await client.query('commit')
    isBroken = false
    return { clean: faults.length === 0, faults: faults.toSorted().slice(0, faultsMax) }
  } finally {
    client.release(isBroken)
  }
}

type Plan = { 'Plan Rows': number; Plans?: Plan[] }

/** The rows that a statement reads from tables, by the planner's estimate. */
async function estimateRows(client: Pick<PoolClient, 'query'>, text: string): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`)
  const leaves = (plan: Plan): number => plan.Plans?.reduce((sum, each) => sum + leaves(each), 0) ?? plan['Plan Rows']
  return rows[0] === undefined ? 0 : leaves(rows[0]['QUERY PLAN'][0].Plan)
}
