import { Credits } from '../../ui/display/Credits.tsx'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'
import type { RowChoice } from '../../ui/table/ChooseRows.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { formatAxes, isOpen, isRecorded, runSeconds, sourceLabel } from './generationLabels.ts'
import classes from './HistoryTable.module.css'
import type { HistoryRow } from './historyQuery.ts'
import { Preview } from './Preview.tsx'

const columns: Column<HistoryRow>[] = [
  { name: 'Generation', cell: (row) => <What row={row} />, width: '42%' },
  { name: 'State', cell: (row) => <State row={row} /> },
  { name: 'Source', cell: (row) => <From row={row} />, priority: 'low' },
  { name: 'Credits', cell: (row) => <Cost row={row} />, align: 'right' },
  { name: 'Started', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Run time', cell: (row) => <RunTime row={row} />, align: 'right', priority: 'low' },
]

export type HistoryTableProps = {
  rows: readonly HistoryRow[]
  selected: string | undefined
  choice?: RowChoice<HistoryRow> | undefined
  onOpen(row: HistoryRow): void
}

export function HistoryTable({ rows, selected, choice, onOpen }: HistoryTableProps) {
  return (
    <DataTable
      label="Generations"
      columns={columns}
      rows={rows}
      keyOf={({ generationId }) => generationId}
      onOpen={onOpen}
      selected={selected}
      choice={choice}
    />
  )
}

const line = `${classes.line} ${classes.truncate}`
const note = `${classes.note} ${classes.truncate}`

function What({ row }: { row: HistoryRow }) {
  const variant = formatAxes(row.axes)
  return (
    <span className={classes.what}>
      <Preview row={row} />
      <span className={classes.lines}>
        <span className={row.prompt ? line : `${line} ${classes.dimmed}`}>{row.prompt || 'No prompt'}</span>
        <span className={note}>
          {row.familyId}
          {variant !== '' && ` · ${variant}`}
        </span>
      </span>
    </span>
  )
}

function State({ row: { state, result } }: { row: HistoryRow }) {
  if (!result?.deletedAt) return <StateBadge state={state} />
  return (
    <span className={classes.lines}>
      <StateBadge state={state} />
      <span className={classes.note}>Result deleted</span>
    </span>
  )
}

function From({ row: { source, apiKey, reference } }: { row: HistoryRow }) {
  return (
    <span className={`${classes.lines} ${classes.from}`}>
      <span className={line}>
        {sourceLabel(source)}
        {apiKey !== null && ` · ${apiKey.name}`}
      </span>
      {reference !== null && (
        <span className={note} title={reference}>
          {reference}
        </span>
      )}
    </span>
  )
}

/** The held credits of unfinished work, and the cost of finished work. */
function Cost({ row }: { row: HistoryRow }) {
  if (isRecorded(row)) return <span className={classes.dimmed}>–</span>
  const charged = row.creditsCharged ?? 0
  const state = isOpen(row) ? 'held' : charged < row.credits ? 'returned' : undefined
  return (
    <span className={classes.amounts}>
      <span className={classes.line}>
        <Credits amount={isOpen(row) ? row.creditsHeld : charged} />
      </span>
      {state !== undefined && (
        <span className={classes.note}>
          {state === 'returned' ? <Credits amount={row.credits - charged} /> : null} {state}
        </span>
      )}
    </span>
  )
}

function RunTime({ row }: { row: HistoryRow }) {
  const seconds = runSeconds(row, useNow())
  return (
    <span className={`${classes.line} tabular`} style={{ whiteSpace: 'nowrap' }}>
      {seconds === undefined ? '–' : formatDuration(seconds)}
    </span>
  )
}
