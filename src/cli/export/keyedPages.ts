import type { ListWindow } from '../../domain/listWindow.ts'

const pageRows = 200

/** All of a list that is ordered by a key, a page at a time, each entry as `present` has it. */
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
