import type { Failure } from '../../api/failure.ts'
import type { CsvCell } from './downloadCsv.ts'

/** A file of more rows is one that nobody reads; filters cut it down. */
export const exportRowsMax = 10_000

/** One page of a list as rows of a file; `after` is where the next one begins, `null` when this is the last. */
export type ExportPage = { rows: CsvCell[][]; after: string | null }

/** Reads every row of a list, page by page, `exportRowsMax` at most. `undefined` when it was called off. */
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
