import type { LedgerLine } from './teamQueries.ts'

/** What a line of the ledger did, and how it changed the two sums that a team has. */
export type StatementLine = { word: string; available: number; held: number; spent: number }

/** A hold takes credits out of what is available; its end either spends them or gives them back, and never moves both sums twice. */
const moves: Record<LedgerLine['kind'], { word: string; available: -1 | 0 | 1; held: -1 | 0 | 1; spent: 0 | 1 }> = {
  GRANT: { word: 'Added', available: 1, held: 0, spent: 0 },
  HOLD: { word: 'Held for work', available: -1, held: 1, spent: 0 },
  CAPTURE: { word: 'Charged', available: 0, held: -1, spent: 1 },
  RELEASE: { word: 'Given back', available: 1, held: -1, spent: 0 },
}

export function statementLine({ kind, credits }: Pick<LedgerLine, 'kind' | 'credits'>): StatementLine {
  const { word, available, held, spent } = moves[kind]
  return { word, available: available * credits || 0, held: held * credits || 0, spent: spent * credits }
}
