import { Button } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { type ReactNode, use, useEffect } from 'react'
import { Link } from 'react-router'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton, RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { ChartCard } from './ChartCard.tsx'
import { FiguresFailureContext } from './figuresFailure.ts'
import { TotalFigures } from './TotalFigures.tsx'
import { DaysTable } from './UsageTables.tsx'
import { fullDays, singleSeries, totalOf } from './usageFigures.ts'
import { DaysQuery, type UsageDay } from './usageQueries.ts'
import { type DaySpan, momentsOf } from './usageSpan.ts'

/** Usage by day. `limitsAndForecast` is below the chart. */
export function DaysUsage({ span, limitsAndForecast }: { span: DaySpan; limitsAndForecast: ReactNode }) {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({
    query: DaysQuery,
    variables: { team: id, ...momentsOf(span) },
    requestPolicy: 'cache-and-network',
  })
  const found = data?.team?.usage
  if (error && !found)
    return <UsageFailed error={error} onRetry={() => refetch({ requestPolicy: 'network-only' })} limitsAndForecast={limitsAndForecast} />
  return (
    <DayFigures
      found={found}
      series="Credits of all keys and families"
      span={span}
      limitsAndForecast={limitsAndForecast}
      table={(days, total) => <DaysTable days={days} total={total} />}
    />
  )
}

type DayFiguresProps<Day extends UsageDay> = {
  /** The days with usage; absent while they load. */
  found: readonly Day[] | undefined
  /** What the chart shows: `Credits of all keys and families`. */
  series: string
  span: DaySpan
  limitsAndForecast: ReactNode
  table(days: ReturnType<typeof fullDays<Day>>, total: ReturnType<typeof totalOf>): ReactNode
}

/** The totals, the chart and the table of the days of a span. */
export function DayFigures<Day extends UsageDay>({ found, series, span, limitsAndForecast, table }: DayFiguresProps<Day>) {
  if (!found) return <UsageSkeleton limitsAndForecast={limitsAndForecast} />
  if (found.length === 0) return <NoUsage limitsAndForecast={limitsAndForecast} />
  const days = fullDays(found, span)
  const total = totalOf(days)
  return (
    <>
      <ChartCard title="Daily credits" {...singleSeries(series, days)} />
      <TotalFigures total={total} />
      {limitsAndForecast}
      {table(days, total)}
    </>
  )
}

type UsageFailedProps = { error: Parameters<typeof failureOf>[0]; onRetry(): void; limitsAndForecast: ReactNode }

export function UsageFailed({ error, onRetry, limitsAndForecast }: UsageFailedProps) {
  const page = use(FiguresFailureContext)
  const onShown = page?.onShown
  useEffect(() => {
    onShown?.(true)
    return () => onShown?.(false)
  }, [onShown])
  const retry = () => {
    page?.retryLimits()
    onRetry()
  }
  return (
    <>
      <ErrorNotice title="Usage could not be loaded" failure={failureOf(error)} onRetry={retry} />
      {limitsAndForecast}
    </>
  )
}

export function UsageSkeleton({ limitsAndForecast }: { limitsAndForecast: ReactNode }) {
  return (
    <>
      <BlockSkeleton height={330} />
      <BlockSkeleton height={64} />
      {limitsAndForecast}
      <RowsSkeleton />
    </>
  )
}

/** Shown when no generation ended in the period. */
export function NoUsage({ limitsAndForecast }: { limitsAndForecast: ReactNode }) {
  const { id, mayManage } = useTeam()
  const empty = (
    <EmptyState
      icon={IconChartBar}
      title="No generations ended in this period"
      action={
        <Button component={Link} variant="default" to={paths.screen(id, mayManage ? 'keys' : 'catalog')}>
          {mayManage ? 'See the API keys' : 'See the catalog'}
        </Button>
      }
    >
      Ended generations and their cost appear here by day. Choose another period.
    </EmptyState>
  )
  return (
    <>
      {limitsAndForecast}
      {empty}
    </>
  )
}
