import { Stack, Title } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { day, idFilter, oneOf, useUrlFilters } from '../../ui/table/useUrlFilters.ts'
import { ChartCard } from './ChartCard.tsx'
import { DaysUsage, NoUsage, UsageFailed, UsageSkeleton } from './DaysUsage.tsx'
import { ExportUsage } from './ExportUsage.tsx'
import { FiguresFailureContext } from './figuresFailure.ts'
import { KeyOrFamilyUsage } from './KeyOrFamilyUsage.tsx'
import { LimitCards, useLimits } from './LimitCards.tsx'
import { MonthForecast } from './MonthForecast.tsx'
import { TotalFigures } from './TotalFigures.tsx'
import { UsageFilters, usageKinds } from './UsageFilters.tsx'
import { GroupsTable, SeriesTable } from './UsageTables.tsx'
import { fullDays, groupLines, seriesOf, totalOf } from './usageFigures.ts'
import { DaysQuery, GroupsQuery } from './usageQueries.ts'
import { type DaySpan, momentsOf, spanError, spanOf, usagePeriods } from './usageSpan.ts'

const kinds = { period: oneOf(...usagePeriods), from: day, to: day, by: oneOf(...usageKinds), key: idFilter, family: idFilter }

/** Usage, held credits, and the limits of the next start. Contract: docs/contract.md#pages. */
export function UsagePage() {
  const [filters, setFilters] = useUrlFilters(kinds)
  // The day is fixed when the page opens, so that the period does not change while it is read.
  const [now] = useState(() => Date.now())
  const limits = useLimits()
  const [haveFiguresFailed, setFiguresFailed] = useState(false)
  const figuresFailure = useMemo(() => ({ onShown: setFiguresFailed, retryLimits: limits.retry }), [limits.retry])
  const span = spanOf(filters, now)
  const by = filters.by ?? 'day'
  const fault = spanError(span)
  const { key, family } = filters
  const selection = key !== undefined ? { key } : family !== undefined ? { family } : undefined
  const limitsAndForecast = (
    <div>
      <LimitCards limits={limits} hidesError={haveFiguresFailed} />
      <MonthForecast now={now} />
    </div>
  )
  return (
    <>
      <PageHeading
        title="Usage"
        description={descriptions.usage}
        actions={<ExportUsage span={span} by={by} selection={selection} disabled={fault !== undefined} />}
      />
      <UsageFilters
        period={filters.period}
        isCustom={filters.from !== undefined || filters.to !== undefined}
        span={span}
        by={by}
        selection={selection ?? {}}
        fault={fault}
        onChange={setFilters}
      />
      {fault === undefined && (
        <FiguresFailureContext value={figuresFailure}>
          <Stack gap="lg">
            {selection ? (
              <KeyOrFamilyUsage key={key ?? family} selection={selection} span={span} limitsAndForecast={limitsAndForecast} />
            ) : by === 'day' ? (
              <DaysUsage span={span} limitsAndForecast={limitsAndForecast} />
            ) : (
              <GroupsUsage key={by} span={span} by={by} limitsAndForecast={limitsAndForecast} />
            )}
          </Stack>
        </FiguresFailureContext>
      )}
    </>
  )
}

/** The number of rows. Others are summed up in one row, and listed in the export. */
const linesMax = 100

/** Usage by key or family, in total and by day. */
function GroupsUsage({ span, by, limitsAndForecast }: { span: DaySpan; by: 'key' | 'family'; limitsAndForecast: ReactNode }) {
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
  if (error && !(found && ended)) return <UsageFailed error={error} onRetry={retry} limitsAndForecast={limitsAndForecast} />
  if (!found || !ended) return <UsageSkeleton limitsAndForecast={limitsAndForecast} />
  if (found.usage.length === 0) return <NoUsage limitsAndForecast={limitsAndForecast} />
  const total = totalOf(fullDays(ended, span))
  const { series, days: shares } = seriesOf(found.usageByDay, span)
  const label = `Daily credits of ${by === 'key' ? 'keys' : 'families'}`
  return (
    <>
      <ChartCard title={label} series={series} days={shares} />
      <TotalFigures total={total} />
      {limitsAndForecast}
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
