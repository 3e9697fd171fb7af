import type { Output, Piece } from './output.ts'
import { cut, visible } from './visible.ts'

/**
 * Writes aligned rows under a heading, with the last column cut to the terminal width. For programs: one row per line with tabs, uncut,
 * without a heading.
 */
export function writeTable(output: Output, heading: string[], rows: Piece[][]): void {
  if (!output.isTerminal) {
    for (const row of rows) output.row(row.map(textOf))
    return
  }
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map((row) => lengthOf(row[column] ?? ''))))
  const line = (row: Piece[]) => {
    let left = output.columns
    const pieces = row.map((piece, column) => {
      const isLast = column === row.length - 1
      const text = isLast ? cut(visible(textOf(piece)), Math.max(10, left)) : visible(textOf(piece)).padEnd((widths[column] ?? 0) + 2)
      left -= [...text].length
      return typeof piece === 'string' ? text : { ...piece, text }
    })
    output.data(...pieces)
  }
  line(heading.map((text) => ({ text, colour: 'dim' })))
  for (const row of rows) line(row)
}

function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text
}

function lengthOf(piece: Piece): number {
  return [...visible(textOf(piece))].length
}
