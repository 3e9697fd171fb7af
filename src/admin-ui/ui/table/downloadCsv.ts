export type CsvCell = string | number | boolean | null | undefined

/** Lines of CSV as spreadsheets read them: quoted where needed, and no text that one would take for a formula. RFC 4180. */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** Hands a table over as a file. The mark at its beginning tells spreadsheets that it is UTF-8. */
export function downloadCsv(fileName: string, header: readonly string[], rows: readonly (readonly CsvCell[])[]): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csvOf(header, rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function cellOf(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'string' && /^\s*[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
