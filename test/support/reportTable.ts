export type ReportTable = {
  /** Sets a row; missing cells at its end stay empty. */
  row(cells: string[]): string
  table(rows: string[]): string
  /** Replaces the rows with the same names in the document's table, in the order of `names`. */
  withRows(document: string, rows: ReadonlyMap<string, string>, names: readonly string[]): string
}

/** A Markdown table below a heading of a document, updated row by row. The first cell of a row begins with its name in backticks. */
export function reportTable(heading: string, columns: readonly string[]): ReportTable {
  const row = (cells: string[]) => `| ${[...cells, ...columns.slice(cells.length).map(() => '')].join(' | ')} |`
  const table = (rows: string[]) => [row([...columns]), row(columns.map(() => '---')), ...rows].join('\n')
  return {
    row,
    table,
    withRows(document, rows, names) {
      const place = new RegExp(`(^${heading}\n\n)((?:\\|.*\n)*)`, 'm')
      const found = place.exec(document)
      if (found === null) throw new Error(`The document has no heading "${heading}".`)
      const kept = new Map<string, string>()
      for (const line of (found[2] ?? '').split('\n')) {
        const name = /^\| `([a-z0-9-]+)`/.exec(line)?.[1]
        if (name !== undefined) kept.set(name, row(cellsOf(line)))
      }
      const lines = names.map((name) => rows.get(name) ?? kept.get(name)).filter((line) => line !== undefined)
      return document.replace(place, () => `${found[1]}${table(lines)}\n`)
    },
  }
}

/** Also accepts a row from a time with fewer columns. */
function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
