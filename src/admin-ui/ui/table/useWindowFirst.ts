import { startTransition, useEffect, useState } from 'react'

/** With the headings of the page, also rows of one line fill the window. */
const rowHeight = 64

/** The rows of a list, at first only as many as fit into the window: the others are rendered after the first paint. */
export function useWindowFirst<Row>(rows: readonly Row[]): readonly Row[] {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => startTransition(() => setPainted(true)), [])
  return isPainted ? rows : rows.slice(0, Math.ceil(window.innerHeight / rowHeight))
}
