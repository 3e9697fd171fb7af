import type { Failure } from '../../api/failure.ts'
import type { CsvCell } from './downloadCsv.ts'

/** The maximum number of exported rows. */
export const exportRowsMax = 10_000

/** A page of rows. `after` is the cursor of the next page, `null` on the last one. */
export type ExportPage = { rows: CsvCell[][]; after: string | null }

/** Reads all rows of a list page by page, up to `exportRowsMax`. Returns `undefined` when it was cancelled. */
export async function readAllRows(
  readPage: (after: string | null) => Promise<ExportPage | Failure>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(count: number): void },
): Promise<{ rows: CsvCell[][]; isCut: boolean } | Failure | undefined> {
  const rows: CsvCell[][] = []
  for (let after: string | null = null; ; ) {
    const page = await readPage(after)
    if (signal.aborted) return undefined
    if ('code' in page) return page
    rows.push(...page.rows)
    onProgress(rows.length)
    if (page.after === null || rows.length >= exportRowsMax) return { rows: rows.slice(0, exportRowsMax), isCut: page.after !== null }
    after = page.after
  }
}
