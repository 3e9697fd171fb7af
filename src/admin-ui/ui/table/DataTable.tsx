import { Table, UnstyledButton } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import classes from './DataTable.module.css'

export type Column<Row> = {
  /** The heading. `Actions` for the menu column, which is visible to screen readers only. */
  name: string
  /** A key, where two columns have the same name. */
  id?: string
  cell(row: Row): ReactNode
  align?: 'left' | 'right'
  width?: number | string
  /** Hides the heading visually. For the menu column, which stays visible at the end. */
  hiddenName?: boolean
}

export type DataTableProps<Row> = {
  /** The name of the rows for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  /** The link of a row, in its first cell. */
  linkOf?(row: Row): string
  /** Opens a row; its first cell becomes a button. */
  onOpen?(row: Row): void
  /** The row with an open panel. */
  selected?: string | undefined
  /** A totals row that stays visible. */
  total?: Row | undefined
}

/** A table with sticky headings. It scrolls horizontally when the window is too narrow. */
export function DataTable<Row>({ label, columns, rows, keyOf, linkOf, onOpen, selected, total }: DataTableProps<Row>) {
  const navigate = useNavigate()
  const open = (row: Row, event: MouseEvent<HTMLElement>) => {
    // Controls in a row handle their own clicks, and selecting text is not a click.
    if (event.target instanceof Element && event.target.closest('a, button, input, label, [role="menu"]')) return
    if (window.getSelection()?.isCollapsed === false) return
    if (linkOf) void navigate(linkOf(row))
    else onOpen?.(row)
  }
  const opens = linkOf !== undefined || onOpen !== undefined
  return (
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <Table className={classes.table} verticalSpacing="xs" horizontalSpacing="sm" highlightOnHover={opens}>
        <Table.Caption className={classes.caption}>{label}</Table.Caption>
        <Table.Thead className={classes.head}>
          <Table.Tr>
            {columns.map(({ name, id = name, align = 'left', width, hiddenName = false }) => (
              <Table.Th key={id} ta={align} w={width} scope="col" className={hiddenName ? classes.end : undefined}>
                <span className={hiddenName ? classes.hidden : undefined}>{name}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              className={opens ? classes.opens : undefined}
              data-selected={keyOf(row) === selected || undefined}
              onClick={opens ? (event) => open(row, event) : undefined}
            >
              {columns.map(({ name, id = name, cell, align = 'left', hiddenName = false }, index) => (
                <Table.Td key={id} ta={align} className={hiddenName ? classes.end : undefined}>
                  {index === 0 ? <First row={row} linkOf={linkOf} onOpen={onOpen} content={cell(row)} /> : cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {total !== undefined && <Total columns={columns} row={total} />}
      </Table>
    </section>
  )
}

function Total<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <Table.Tfoot className={classes.foot}>
      <Table.Tr>
        {columns.map(({ name, id = name, cell, align = 'left' }, index) =>
          index === 0 ? (
            <Table.Th key={id} scope="row" ta={align}>
              {cell(row)}
            </Table.Th>
          ) : (
            <Table.Td key={id} ta={align}>
              {cell(row)}
            </Table.Td>
          ),
        )}
      </Table.Tr>
    </Table.Tfoot>
  )
}

type FirstProps<Row> = Pick<DataTableProps<Row>, 'linkOf' | 'onOpen'> & { row: Row; content: ReactNode }

/** The control in the first cell that opens a row by keyboard and screen reader. */
function First<Row>({ row, linkOf, onOpen, content }: FirstProps<Row>) {
  if (linkOf)
    return (
      <Link to={linkOf(row)} className={classes.opener}>
        {content}
      </Link>
    )
  if (onOpen)
    return (
      <UnstyledButton className={classes.opener} onClick={() => onOpen(row)}>
        {content}
      </UnstyledButton>
    )
  return content
}
