import { Anchor, Box, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Credits } from '../../ui/display/Credits.tsx'
import { formatDay } from '../../ui/display/days.ts'
import { formatDuration } from '../../ui/display/formatDuration.ts'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { type DayOfSeries, type DaysRow, type Figures, type GroupLine, joinEmptyDays, type Series, successRate } from './usageFigures.ts'
import type { KeyOrFamilyDay } from './usageQueries.ts'

const count = new Intl.NumberFormat()

const isEmpty = ({ generations }: Figures) => generations === 0

const countOf = (name: string, value: (row: Figures) => number): Column<Figures> => ({
  name,
  align: 'right',
  cell: (row) => (
    <Text span inherit c={value(row) === 0 ? 'dimmed' : undefined} className="tabular">
      {isEmpty(row) ? '–' : count.format(value(row))}
    </Text>
  ),
})

const counts = [
  countOf('Generations', ({ generations }) => generations),
  countOf('Ready', ({ ready }) => ready),
  countOf('Failed', ({ failed }) => failed),
  countOf('Cancelled', ({ cancelled }) => cancelled),
]
const credits: Column<Figures> = {
  name: 'Credits',
  align: 'right',
  cell: (row) => (isEmpty(row) ? <Nothing /> : <Credits amount={row.creditsCharged} />),
}

type DayRow = Figures & { day: string; until?: string }

const dayColumns: Column<DayRow>[] = [
  { name: 'Day (UTC)', cell: ({ day, until }) => (day === '' ? 'Total' : <Day day={day} until={until} />) },
  ...counts,
  credits,
]

/** The days, newest first. Days without ended generations share a row. */
export function DaysTable({ days, total }: { days: readonly DayRow[]; total: Figures }) {
  return (
    <DataTable
      label="Daily usage"
      columns={dayColumns}
      rows={joinEmptyDays(days, isEmpty).toReversed()}
      keyOf={({ day }) => day}
      total={{ ...total, day: '' }}
    />
  )
}

/** The total row has no times. */
type KeyOrFamilyRow = Figures & Partial<KeyOrFamilyDay> & { day: string; until?: string }

type Seconds = number | null | undefined

const seconds = (name: string, timesOf: (row: KeyOrFamilyRow) => Seconds[]): Column<KeyOrFamilyRow> => ({
  name,
  align: 'right',
  cell: (row) => {
    const times = timesOf(row).map((time) => (time === null || time === undefined ? '–' : formatDuration(time)))
    return <span className="tabular">{times.every((time) => time === '–') ? '–' : times.join(' / ')}</span>
  },
})

const keyOrFamilyColumns: Column<KeyOrFamilyRow>[] = [
  ...dayColumns.slice(0, 1),
  ...counts.map((column) => (column.name === 'Cancelled' ? { ...column, priority: 'low' as const } : column)),
  { name: 'Success rate', align: 'right', cell: (row) => <span className="tabular">{successRate(row)}</span> },
  seconds('Median time', ({ medianSeconds }) => [medianSeconds]),
  seconds('95% within', ({ p95Seconds }) => [p95Seconds]),
  seconds('Waiting', ({ medianQueueSeconds, p95QueueSeconds }) => [medianQueueSeconds, p95QueueSeconds]),
  seconds('Running', ({ medianRunSeconds, p95RunSeconds }) => [medianRunSeconds, p95RunSeconds]),
  credits,
]

/** The days of one key or family, newest first. */
export function KeyOrFamilyTable({ days, total }: { days: readonly KeyOrFamilyRow[]; total: Figures }) {
  const rows = joinEmptyDays(days, isEmpty).toReversed()
  return (
    <section>
      <DataTable label="Daily usage" columns={keyOrFamilyColumns} rows={rows} keyOf={({ day }) => day} total={{ ...total, day: '' }} />
      <Text size="xs" c="dimmed" mt={6}>
        Times are from the request to the result, of the newest 200 ready generations that started on the day. Waiting is the time until the
        model began, Running the time after it. Both show the median, then the time within which 95% ended.
      </Text>
    </section>
  )
}

/** The totals of each key or family. */
export function GroupsTable({ by, lines, total }: { by: 'key' | 'family'; lines: readonly GroupLine[]; total: Figures }) {
  const columns: Column<GroupLine>[] = [
    { name: by === 'key' ? 'Key' : 'Family', cell: (line) => <GroupName line={line} /> },
    ...counts,
    credits,
    { name: 'Share of credits', cell: ({ creditsCharged }) => <ShareBar part={creditsCharged} whole={total.creditsCharged} /> },
  ]
  return (
    <DataTable
      label={by === 'key' ? 'Usage of keys' : 'Usage of families'}
      columns={columns}
      rows={lines}
      keyOf={({ id }) => id}
      total={{ ...total, id: 'total', name: 'Total' }}
    />
  )
}

function GroupName({ line: { name, prefix, history } }: { line: GroupLine }) {
  const { id } = useTeam()
  if (!history) return name
  return (
    <>
      <Anchor component={Link} to={paths.screen(id, 'history', history)} title="Show its history" inherit>
        {name}
      </Anchor>
      {prefix !== undefined && (
        <Text span ff="monospace" size="xs" c="dimmed" ml={8}>
          {prefix}…
        </Text>
      )}
    </>
  )
}

/** The numbers of a chart with several series. Days without credits share a row. */
export function SeriesTable({ label, series, days }: { label: string; series: readonly Series[]; days: readonly DayOfSeries[] }) {
  const columns: Column<DaysRow<DayOfSeries>>[] = [
    { name: 'Day (UTC)', cell: ({ day, until }) => <Day day={day} until={until} /> },
    ...series.map(({ id, name }, place) => ({
      id,
      name,
      align: 'right' as const,
      cell: ({ values, total }: DayOfSeries) => (total === 0 ? <Nothing /> : <Credits amount={values[place]} />),
    })),
    { id: 'total', name: 'All', align: 'right', cell: ({ total }) => (total === 0 ? <Nothing /> : <Credits amount={total} />) },
  ]
  const rows = joinEmptyDays(days, ({ total }) => total === 0).toReversed()
  return <DataTable label={label} columns={columns} rows={rows} keyOf={({ day }) => day} />
}

function Day({ day, until }: { day: string; until: string | undefined }) {
  const last = until ?? day
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {until !== undefined && (
        <>
          <time dateTime={day}>{formatDay(day, { year: day.slice(0, 4) !== until.slice(0, 4) })}</time>
          {' – '}
        </>
      )}
      <time dateTime={last}>{formatDay(last, { year: true })}</time>
    </span>
  )
}

/** The value of a row of days in which nothing happened. */
function Nothing() {
  return (
    <Text span inherit c="dimmed">
      –
    </Text>
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** A share of the total, as a bar and a percentage. */
function ShareBar({ part, whole }: { part: number; whole: number }) {
  const share = whole > 0 ? part / whole : 0
  return (
    <Group gap="xs" wrap="nowrap">
      <Box aria-hidden h={6} w={96} bg="var(--atelier-border)" style={{ borderRadius: 3, overflow: 'hidden' }}>
        <Box h="100%" w={`${share * 100}%`} bg="var(--atelier-series-1)" style={{ borderRadius: 3 }} />
      </Box>
      <Text span size="xs" c="dimmed" className="tabular">
        {share > 0 && share < 0.005 ? 'under 1%' : percent.format(share)}
      </Text>
    </Group>
  )
}
