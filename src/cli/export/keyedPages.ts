import type { ListWindow } from '../../domain/listWindow.ts'

const pageRows = 200

/** Reads a list that is ordered by a key, page by page, and converts each entry with `present`. */
export async function* keyedPages<Row, Shown>(
  find: (window: ListWindow) => Promise<Row[]>,
  keyOf: (row: Row) => string,
  present: (row: Row) => Shown,
): AsyncGenerator<Shown[]> {
  for (let after: string | undefined; ; ) {
    const rows = await find({ after, limit: pageRows, fromTheEnd: false })
    yield rows.map(present)
    const last = rows.at(-1)
    if (rows.length < pageRows || last === undefined) return
    after = keyOf(last)
  }
}
