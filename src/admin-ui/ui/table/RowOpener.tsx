import type { ReactNode } from 'react'
import { LinkFromList } from '../layout/LinkToList.tsx'
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
      <LinkFromList to={linkOf(row)} className={classes.opener}>
        {content}
      </LinkFromList>
    )
  if (onOpen)
    return (
      <button type="button" className={`${classes.opener} mantine-focus-auto`} onClick={() => onOpen(row)}>
        {content}
      </button>
    )
  return content
}
