import { creditsOf } from '../../contract/hundredths.ts'
import type { FamilyMonth } from '../../domain/credits/costsByMonth.ts'

const heads = ['month', 'family', 'made', 'credits', 'in USD', 'cost USD', 'unreported', 'margin USD', 'margin']

/**
 * Formats costs as lines of a table. Charges are converted to dollars at the current rate; the margin is charges minus costs, with a `?`
 * if a vendor reported no cost for some of the work.
 */
export function costsTable(rows: readonly FamilyMonth[], { creditsPerUsd }: { creditsPerUsd: number }): string[] {
  const lines = [heads, ...rows.map((row) => cells(row, creditsPerUsd))]
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) =>
    line
      .map((text, column) => (column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function cells({ month, familyId, made, charged, costUsd, unreported }: FamilyMonth, creditsPerUsd: number): string[] {
  const credits = creditsOf(charged)
  const usd = credits / creditsPerUsd
  const doubt = unreported > 0 ? '?' : ''
  const share = usd > 0 ? `${Math.round(((usd - costUsd) / usd) * 100)}%${doubt}` : '-'
  return [
    month,
    familyId,
    String(made),
    credits.toFixed(2),
    usd.toFixed(2),
    costUsd.toFixed(2),
    String(unreported),
    `${(usd - costUsd).toFixed(2)}${doubt}`,
    share,
  ]
}
