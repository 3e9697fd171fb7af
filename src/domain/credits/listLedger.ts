import type { Hundredths } from '../../entities/Hundredths.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { statement } from '../sql.ts'

export const ledgerKinds = ['grant', 'hold', 'capture', 'release'] as const

/** One move of credits, as the owner of the account sees it. A grant belongs to no generation and has a note. */
export type LedgerLine = {
  id: string
  kind: (typeof ledgerKinds)[number]
  /** How much was moved; `kind` says where to. */
  amount: Hundredths
  generationId: string | null
  /** Of the generation: what it ran on, and the key that started it; null also for what an internal tool started. */
  familyId: string | null
  keyId: string | null
  note: string | null
  createdAt: Date
}

/** The end of the ledger: the identifiers of its lines are whole numbers below it. */
const end = '9223372036854775807'

const linesOf = (order: 'asc' | 'desc', only: 'all' | 'grants') =>
  statement<LedgerLine>(
    `ledger_${only}_${order}`,
    // A stretch of the account's part of an index, by bounds and a limit that leave no other way, as in generations/listGenerations.ts.
    `select t.id::text, t.kind, coalesce(e.credits, 0) as amount, t.generation_id, g.family_id, g.key_id, t.note, t.created_at from (
         select id, kind, generation_id, note, created_at from ledger_transactions
           where (account_id, id) > ($1, $2::bigint) and (account_id, id) < ($1, $3::bigint)${only === 'grants' ? " and kind = 'grant'" : ''}
           order by account_id ${order}, id ${order} limit (select $4::integer)) as t
       left join ledger_entries e on e.transaction_id = t.id and e.credits > 0
       left join lateral (select family_id, key_id from generations where id = t.generation_id limit 1) g on true order by t.id ${order}`,
  )
const statements = {
  all: { asc: linesOf('asc', 'all'), desc: linesOf('desc', 'all') },
  grants: { asc: linesOf('asc', 'grants'), desc: linesOf('desc', 'grants') },
}

/** Lines of an account's ledger, newest first, keyed by their `id`; all of them, or what was added alone. */
export async function listLedger(
  context: Context,
  accountId: string,
  { after, before, limit, fromTheEnd, grantsOnly = false }: ListWindow & { grantsOnly?: boolean },
): Promise<LedgerLine[]> {
  const asked = statements[grantsOnly ? 'grants' : 'all'][fromTheEnd ? 'asc' : 'desc']
  return context.sql.all(asked, [accountId, before ?? '0', after ?? end, limit])
}

/** True for what identifies a line: a whole number that the database can hold. */
export function isLedgerLineId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}
