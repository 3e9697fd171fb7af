import { Table } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { type MouseEvent, memo, type ReactNode, useMemo } from 'react'
import { CellName, CellValue } from './CellName.tsx'
import { ChooseAll, ChooseRow, type RowChoice, withRow } from './ChooseRows.tsx'
import classes from './DataTable.module.css'
import { RowOpener } from './RowOpener.tsx'
import { splitColumns } from './splitColumns.ts'
import { useHorizontalOverflow } from './useHorizontalOverflow.ts'
import { useProgressiveRows } from './useProgressiveRows.ts'
import { useTableLayout } from './useTableLayout.ts'

export type Column<Row> = {
  /** The heading. `Actions` for the menu column, which is visible to screen readers only. */
  name: string
  /** A key, where two columns have the same name. */
  id?: string
  cell(row: Row): ReactNode
  align?: 'left' | 'right'
  width?: number | string
  /** `low`: moves under the first cell where the window is too narrow for all columns. */
  priority?: 'low'
  /** Hides the heading visually. For the menu column, which stays visible at the end. */
  hiddenName?: boolean
}

/** Names of columns with more characters wrap. */
const unwrappedMax = 24

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
  /** Adds a checkbox to each row. */
  choice?: RowChoice<Row> | undefined
  /** A totals row that stays visible. */
  total?: Row | undefined
}

/**
 * A table whose headings stick to the window; the page scrolls. Where the window is too narrow for all columns, those of low priority move
 * under the first cell; on a phone each row is a card.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, choice, total, ...opening }: DataTableProps<Row>) {
  const layout = useTableLayout()
  const { box, table, isOverflowing } = useHorizontalOverflow()
  const shownRows = useProgressiveRows(rows)
  const { shown, moved } = useMemo(() => splitColumns(columns, layout), [columns, layout])
  const { linkOf, onOpen, selected } = opening
  // Stable functions, so that a change of one row renders that row alone.
  const openRow = useCallbackRef(onOpen)
  const choose = useCallbackRef((row: Row, isChosen: boolean) => choice?.onChange(withRow(choice.chosen, keyOf(row), isChosen)))
  return (
    <section
      ref={box}
      className={classes.box}
      data-layout={layout}
      aria-label={label}
      {...(isOverflowing ? { tabIndex: 0, 'data-wide': true } : {})}
    >
      <Table ref={table} className={classes.table} role="table" verticalSpacing="xs" horizontalSpacing="sm">
        <Table.Caption className={classes.caption}>{label}</Table.Caption>
        <Table.Thead className={classes.head} role="rowgroup">
          <Table.Tr role="row">
            {choice && (
              <Table.Th w={1} scope="col" role="columnheader">
                <ChooseAll choice={choice} rows={rows} keyOf={keyOf} />
              </Table.Th>
            )}
            {shown.map(({ name, id = name, align = 'left', width, hiddenName = false }) => (
              <Table.Th key={id} ta={align} w={width} scope="col" role="columnheader" className={hiddenName ? classes.end : undefined}>
                <span className={hiddenName ? classes.hidden : name.length > unwrappedMax ? classes.long : undefined}>{name}</span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {shownRows.map((row) => {
            const id = keyOf(row)
            return (
              <MemoRow
                key={id}
                {...{ row, shown, moved, linkOf, isCard: layout === 'cards', isSelected: id === selected }}
                onOpen={onOpen && openRow}
                {...(choice ? { choose, chooses: choice.nameOf(row), isChosen: choice.chosen.has(id) } : {})}
              />
            )
          })}
        </Table.Tbody>
        {total !== undefined && <Total columns={shown} row={total} isCard={layout === 'cards'} />}
      </Table>
    </section>
  )
}

type DataRowProps<Row> = {
  row: Row
  linkOf: ((row: Row) => string) | undefined
  onOpen: ((row: Row) => void) | undefined
  isSelected: boolean
  /** For a row with a checkbox; `chooses` is its name. */
  choose?: (row: Row, isChosen: boolean) => void
  chooses?: string
  isChosen?: boolean
  shown: readonly Column<Row>[]
  /** The columns whose values are shown under the first cell. */
  moved: readonly Column<Row>[]
  isCard: boolean
}

const MemoRow = memo(DataRow) as typeof DataRow

// Rows that are shown as cards have another `display`, for which browsers drop the implied roles.
const [rowRole, cellRole] = [{ role: 'row' }, { role: 'cell' }]
const alignedRight = { textAlign: 'right' } as const

function DataRow<Row>({ row, shown, moved, isCard, linkOf, onOpen, isSelected, choose, chooses, isChosen = false }: DataRowProps<Row>) {
  const open = (event: MouseEvent<HTMLElement>) => {
    // Controls in a row handle their own clicks, and selecting text is not a click.
    if (event.target instanceof Element && event.target.closest('a, button, input, label, [role="menu"]')) return
    if (window.getSelection()?.isCollapsed === false) return
    event.currentTarget.querySelector<HTMLElement>(`.${classes.opener}`)?.click()
  }
  const opens = linkOf !== undefined || onOpen !== undefined
  return (
    // Native elements: those of Mantine render as slowly as the content of the cells.
    <tr
      {...rowRole}
      className={opens ? `${classes.row} ${classes.opens}` : classes.row}
      data-selected={isSelected || undefined}
      onClick={opens ? open : undefined}
    >
      {choose && (
        <td {...cellRole} className={`${classes.cell} ${classes.choice}`}>
          <ChooseRow name={chooses ?? ''} isChosen={isChosen} onChange={(checked) => choose(row, checked)} />
        </td>
      )}
      {shown.map(({ name, id: column = name, cell, align = 'left', hiddenName = false }, index) => (
        <td
          key={column}
          {...cellRole}
          className={hiddenName ? `${classes.cell} ${classes.end}` : classes.cell}
          style={align === 'right' && !isCard ? alignedRight : undefined}
        >
          {isCard && index > 0 && !hiddenName && <CellName name={name} />}
          {index === 0 ? (
            <RowOpener row={row} linkOf={linkOf} onOpen={onOpen} content={cell(row)} />
          ) : (
            <CellValue isGrid={isCard && !hiddenName}>{cell(row)}</CellValue>
          )}
          {index === 0 && moved.length > 0 && <Moved columns={moved} row={row} />}
        </td>
      ))}
    </tr>
  )
}

/** The columns of low priority, under the first cell. */
function Moved<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <dl className={classes.moved}>
      {columns.map(({ name, id = name, cell }) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd>{cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Total<Row>({ columns, row, isCard }: { columns: readonly Column<Row>[]; row: Row; isCard: boolean }) {
  return (
    <Table.Tfoot className={classes.foot} role="rowgroup">
      <Table.Tr role="row">
        {columns.map(({ name, id = name, cell, align = 'left' }, index) =>
          index === 0 ? (
            <Table.Th key={id} scope="row" role="rowheader" ta={isCard ? 'left' : align}>
              {cell(row)}
            </Table.Th>
          ) : (
            <Table.Td key={id} role="cell" ta={isCard ? 'left' : align}>
              {isCard && <CellName name={name} />}
              <CellValue isGrid={isCard}>{cell(row)}</CellValue>
            </Table.Td>
          ),
        )}
      </Table.Tr>
    </Table.Tfoot>
  )
}
