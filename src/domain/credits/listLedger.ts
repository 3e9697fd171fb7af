import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { statement } from '../sql.ts'

export const ledgerKinds = ['grant', 'hold', 'capture', 'release'] as const

/** One move of credits, as the account's owner sees it. A grant has a note and no generation. */
export type LedgerLine = {
  id: string
  kind: (typeof ledgerKinds)[number]
  /** The amount moved; `kind` gives the direction. Negative for a grant that takes credits away. */
  amount: Hundredths
  generationId: string | null
  /** Family and key of the generation. The key is null when an internal tool started it. */
  familyId: string | null
  keyId: string | null
  note: string | null
  createdAt: Date
}

/** Above every identifier of a ledger line. */
const end = '9223372036854775807'

const linesOf = (order: 'asc' | 'desc', only: 'all' | 'grants') =>
  statement<LedgerLine>(
    `ledger_${only}_${order}`,
    // The bounds and the limit force a range scan of the account's index, as in generations/listGenerations.ts. With `between` the planner
    // estimates few lines; without it, PostgreSQL 15 sorts a whole ledger of ten million generations. `offset 0` makes PostgreSQL look up
    // the entries of each line. The planner estimates a tenth of the account's lines, so it would scan all entries.
    `select t.id::text, t.kind, coalesce(case when t.kind = 'grant' and e.bucket = 'granted' then -e.credits else e.credits end, 0) as amount, t.generation_id, g.family_id, g.key_id, t.note, t.created_at from (
         select id, kind, generation_id, note, created_at from ledger_transactions
           where account_id between $1 and $1 and (account_id, id) > ($1, $2::bigint) and (account_id, id) < ($1, $3::bigint)${only === 'grants' ? " and kind = 'grant'" : ''}
           order by account_id ${order}, id ${order} limit (select $4::integer)) as t
       left join lateral (select bucket, credits from ledger_entries where transaction_id = t.id and credits > 0 offset 0) e on true
       left join lateral (select family_id, key_id from generations where id = t.generation_id limit 1) g on true order by t.id ${order}`,
  )
const statements = {
  all: { asc: linesOf('asc', 'all'), desc: linesOf('desc', 'all') },
  grants: { asc: linesOf('asc', 'grants'), desc: linesOf('desc', 'grants') },
}

/** Lists the ledger lines of an account, newest first, keyed by `id`; with `grantsOnly`, only the grants. */
export async function listLedger(
  context: Context,
  accountId: string,
  { after, before, limit, fromTheEnd, grantsOnly = false }: ListWindow & { grantsOnly?: boolean },
): Promise<LedgerLine[]> {
  const query = statements[grantsOnly ? 'grants' : 'all'][fromTheEnd ? 'asc' : 'desc']
  return context.sql.all(query, [accountId, before ?? '0', after ?? end, limit])
}

/** True for a well-formed identifier of a ledger line: a whole number within PostgreSQL's bigint. */
export function isLedgerLineId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}
