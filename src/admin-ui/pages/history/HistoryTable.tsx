import { Group, Stack, Text } from '@mantine/core'
import { Credits } from '../../ui/display/Credits.tsx'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'
import type { RowChoice } from '../../ui/table/ChooseRows.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { formatAxes, isOpen, isRecorded, runSeconds, sourceLabel } from './generationLabels.ts'
import type { HistoryRow } from './historyQuery.ts'
import { Preview } from './Preview.tsx'

const columns: Column<HistoryRow>[] = [
  { name: 'Generation', cell: (row) => <What row={row} />, width: '42%' },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
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

function What({ row }: { row: HistoryRow }) {
  const variant = formatAxes(row.axes)
  return (
    <Group gap="sm" wrap="nowrap" maw={{ base: '100%', sm: 300, lg: 380 }} miw={0}>
      <Preview row={row} />
      <Stack gap={0} miw={0} ta="left">
        <Text size="sm" truncate {...(row.prompt ? {} : { c: 'dimmed' })}>
          {row.prompt || 'No prompt'}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {row.familyId}
          {variant !== '' && ` · ${variant}`}
        </Text>
      </Stack>
    </Group>
  )
}

function From({ row: { source, apiKey, reference } }: { row: HistoryRow }) {
  return (
    <Stack gap={0} maw={180}>
      <Text size="sm" truncate>
        {sourceLabel(source)}
        {apiKey !== null && ` · ${apiKey.name}`}
      </Text>
      {reference !== null && (
        <Text size="xs" c="dimmed" truncate title={reference}>
          {reference}
        </Text>
      )}
    </Stack>
  )
}

/** The held credits of unfinished work, and the cost of finished work. */
function Cost({ row }: { row: HistoryRow }) {
  if (isRecorded(row)) return <Text c="dimmed">–</Text>
  const charged = row.creditsCharged ?? 0
  const note = isOpen(row) ? 'held' : charged < row.credits ? 'returned' : undefined
  return (
    <Stack gap={0}>
      <Text size="sm">
        <Credits amount={isOpen(row) ? row.creditsHeld : charged} />
      </Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note === 'returned' ? <Credits amount={row.credits - charged} /> : null} {note}
        </Text>
      )}
    </Stack>
  )
}

function RunTime({ row }: { row: HistoryRow }) {
  const seconds = runSeconds(row, useNow())
  return (
    <Text size="sm" className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {seconds === undefined ? '–' : formatDuration(seconds)}
    </Text>
  )
}
