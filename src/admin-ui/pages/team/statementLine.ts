import type { LedgerLine } from './teamQueries.ts'

/** A ledger entry and its change of the two balances of a team. */
export type StatementLine = { word: string; available: number; held: number; spent: number }

/** A hold moves available credits to held. Its end either charges or releases them. */
const moves: Record<LedgerLine['kind'], { word: string; available: -1 | 0 | 1; held: -1 | 0 | 1; spent: 0 | 1 }> = {
  GRANT: { word: 'Added', available: 1, held: 0, spent: 0 },
  HOLD: { word: 'Held for work', available: -1, held: 1, spent: 0 },
  CAPTURE: { word: 'Charged', available: 0, held: -1, spent: 1 },
  RELEASE: { word: 'Returned', available: 1, held: -1, spent: 0 },
}

export function statementLine({ kind, credits }: Pick<LedgerLine, 'kind' | 'credits'>): StatementLine {
  const { word, available, held, spent } = moves[kind]
  return { word, available: available * credits || 0, held: held * credits || 0, spent: spent * credits }
}
