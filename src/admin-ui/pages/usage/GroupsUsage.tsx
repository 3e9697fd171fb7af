import { Title } from '@mantine/core'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { ChartCard } from './ChartCard.tsx'
import { NoUsage, UsageFailed, UsageSkeleton } from './DaysUsage.tsx'
import { TotalFigures } from './TotalFigures.tsx'
import { GroupsTable, SeriesTable } from './UsageTables.tsx'
import { fullDays, groupLines, seriesOf, totalOf } from './usageFigures.ts'
import { DaysQuery, GroupsQuery } from './usageQueries.ts'
import { type DaySpan, momentsOf } from './usageSpan.ts'

/** The number of rows. Others are summed up in one row, and listed in the export. */
const linesMax = 100

/** Usage by key or family, in total and by day. */
export function GroupsUsage({ span, by }: { span: DaySpan; by: 'key' | 'family' }) {
  const { id } = useTeam()
  const moments = { team: id, ...momentsOf(span) }
  const name = by === 'key' ? 'KEY' : 'FAMILY'
  const policy = { requestPolicy: 'cache-and-network' } as const
  const [days, refetchDays] = useQuery({ query: DaysQuery, variables: moments, ...policy })
  const [groups, refetch] = useQuery({ query: GroupsQuery, variables: { ...moments, by: name, split: name, first: linesMax }, ...policy })
  const found = groups.data?.team
  const ended = days.data?.team?.usage
  const error = groups.error ?? days.error
  const retry = () => {
    refetch({ requestPolicy: 'network-only' })
    refetchDays({ requestPolicy: 'network-only' })
  }
  if (error && !(found && ended)) return <UsageFailed error={error} onRetry={retry} />
  if (!found || !ended) return <UsageSkeleton />
  if (found.usage.length === 0) return <NoUsage />
  const total = totalOf(fullDays(ended, span))
  const { series, days: shares } = seriesOf(found.usageByDay, span)
  const label = `Daily credits of ${by === 'key' ? 'keys' : 'families'}`
  return (
    <>
      <TotalFigures total={total} />
      <ChartCard title={label} series={series} days={shares} />
      <GroupsTable by={by} lines={groupLines(found.usage, total)} total={total} />
      <section>
        <Title order={2} mb="xs">
          {label}
        </Title>
        <SeriesTable label={label} series={series} days={shares} />
      </section>
    </>
  )
}
