import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

/** The heading of a cell on a card. Screen readers have it from the table. */
export function CellName({ name }: { name: string }) {
  return (
    <span className={classes.name} aria-hidden>
      {name}
    </span>
  )
}

/** The value beside the name of its column in a card, as one element of the grid. Elsewhere it stays a child of the cell. */
export function CellValue({ isGrid, children }: { isGrid: boolean; children: ReactNode }) {
  return isGrid ? <div>{children}</div> : children
}
