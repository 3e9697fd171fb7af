import { Group, Paper, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { formatDay } from '../../ui/display/days.ts'
import { chosenTimeZone, deviceTimeZone, inTimeZone, zoneName } from '../../ui/display/timeZone.ts'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import type { DayOfSeries, Series } from './usageFigures.ts'

/** Loaded on demand, because charts are larger than the rest of the page. */
const UsageChart = lazy(async () => ({ default: (await import('./UsageChart.tsx')).UsageChart }))

/** A chart of credits by day, with a note about time zones. */
export function ChartCard({ title, series, days }: { title: string; series: readonly Series[]; days: readonly DayOfSeries[] }) {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const label = `${title}, ${formatDay(first, { year: true })} – ${formatDay(last, { year: true })}. The table below has the same numbers.`
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{title}</Title>
        <Text size="xs" c="dimmed">
          {timeZoneNote()}
        </Text>
      </Group>
      <Suspense fallback={<BlockSkeleton height={series.length > 1 ? 300 : 260} />}>
        <UsageChart label={label} series={series} days={days} />
      </Suspense>
    </Paper>
  )
}

/** The start of a UTC day in the reader's time zone. */
function timeZoneNote(): string {
  const midnight = new Date(new Date().setUTCHours(0, 0, 0, 0))
  const time = midnight.toLocaleTimeString(undefined, inTimeZone({ hour: '2-digit', minute: '2-digit' }))
  const timeZone = chosenTimeZone() ?? deviceTimeZone()
  return timeZone === 'UTC' ? 'Days are in UTC, like your time zone' : `Days are in UTC: each begins at ${time} in ${zoneName(timeZone)}`
}
