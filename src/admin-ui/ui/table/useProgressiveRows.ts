import { startTransition, useEffect, useState } from 'react'

/** With the headings of the page, also rows of one line fill the window. */
const rowHeight = 64

/** The rows that fit into the window, and after the first paint all rows. */
export function useProgressiveRows<Row>(rows: readonly Row[]): readonly Row[] {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => startTransition(() => setPainted(true)), [])
  return isPainted ? rows : rows.slice(0, Math.ceil(window.innerHeight / rowHeight))
}
