import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './DataTable.module.css'

type RowOpenerProps<Row> = {
  row: Row
  linkOf: ((row: Row) => string) | undefined
  onOpen: ((row: Row) => void) | undefined
  content: ReactNode
}

/** The control in the first cell that opens a row by keyboard and screen reader. */
export function RowOpener<Row>({ row, linkOf, onOpen, content }: RowOpenerProps<Row>) {
  if (linkOf)
    return (
      <Link to={linkOf(row)} className={classes.opener}>
        {content}
      </Link>
    )
  if (onOpen)
    return (
      <button type="button" className={`${classes.opener} mantine-focus-auto`} onClick={() => onOpen(row)}>
        {content}
      </button>
    )
  return content
}
