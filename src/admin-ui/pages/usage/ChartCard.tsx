import { Group, Paper, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { formatDay } from '../../ui/display/days.ts'
import { chosenTimeZone, deviceTimeZone, inTimeZone, zoneName } from '../../ui/display/timeZone.ts'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import type { DayOfSeries, Series } from './usageFigures.ts'

/** Loaded on demand, because charts are larger than the rest of the page. */
const UsageChart = lazy(async () => ({ default: (await import('./UsageChart.tsx')).UsageChart }))

/** In pixels, without the legend. */
const chartHeight = 260

type ChartCardProps = {
  title: string
  series: readonly Series[]
  days: readonly DayOfSeries[]
  /** False if no table below shows the same numbers. */
  hasTable?: boolean
}

/** A chart of credits by day, with a note about time zones. */
export function ChartCard({ title, series, days, hasTable = true }: ChartCardProps) {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const span = `${formatDay(first, { year: true })} – ${formatDay(last, { year: true })}`
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{title}</Title>
        <Text size="xs" c="dimmed">
          {timeZoneNote()}
        </Text>
      </Group>
      <Suspense fallback={<BlockSkeleton height={chartHeight} />}>
        <UsageChart
          label={`${title}, ${span}. ${hasTable ? 'The table below has the same numbers.' : sumsOf(series, days)}`}
          height={chartHeight}
          series={series}
          days={days}
        />
      </Suspense>
    </Paper>
  )
}

/** The sum of each series, for charts without a table. */
function sumsOf(series: readonly Series[], days: readonly DayOfSeries[]): string {
  const sums = series.map(({ name }, index) => `${name}: ${formatCredits(days.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}`)
  return `${sums.join(', ')}.`
}

/** The start of a UTC day in the reader's time zone. */
function timeZoneNote(): string {
  const midnight = new Date(new Date().setUTCHours(0, 0, 0, 0))
  const time = midnight.toLocaleTimeString(undefined, inTimeZone({ hour: '2-digit', minute: '2-digit' }))
  const timeZone = chosenTimeZone() ?? deviceTimeZone()
  return timeZone === 'UTC' ? 'Days are in UTC, like your time zone' : `Days are in UTC: each begins at ${time} in ${zoneName(timeZone)}`
}
