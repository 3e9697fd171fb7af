export type CsvCell = string | number | boolean | null | undefined

/** CSV for spreadsheets (RFC 4180): quoted where needed, and protected against formula injection. */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** Downloads a table as a file. The byte order mark marks UTF-8 for spreadsheets. */
export function downloadCsv(fileName: string, header: readonly string[], rows: readonly (readonly CsvCell[])[]): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csvOf(header, rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function cellOf(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'string' ? withoutFormula(cell) : String(cell)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Some spreadsheets split cells at `;` or a tab, even inside quotes. */
function withoutFormula(text: string): string {
  const guarded = text.replace(/([;\t])(\s*[=+\-@＝＋－＠])/g, "$1'$2")
  return /^\s*[=+\-@\t\r\n＝＋－＠]/.test(guarded) ? `'${guarded}` : guarded
}
