import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { ChartCard } from './ChartCard.tsx'
import { NoUsage, UsageFailed, UsageSkeleton } from './DaysUsage.tsx'
import { TotalFigures } from './TotalFigures.tsx'
import { OneTable } from './UsageTables.tsx'
import { fullDays, singleSeries, totalOf } from './usageFigures.ts'
import { OneQuery } from './usageQueries.ts'
import { type DaySpan, momentsOf } from './usageSpan.ts'

/** A key, or a family. */
export type One = { key: string } | { family: string }

/** The variables of the usage of a key or a family. */
export function oneVariables(one: One, span: DaySpan) {
  return { ...momentsOf(span), key: 'key' in one ? one.key : null, family: 'family' in one ? one.family : null }
}

/** Usage of one key or one family by day, with the time that its generations took. */
export function OneUsage({ one, span }: { one: One; span: DaySpan }) {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({
    query: OneQuery,
    variables: { team: id, ...oneVariables(one, span) },
    requestPolicy: 'cache-and-network',
  })
  const found = data?.team?.dailyUsage
  if (error && !found) return <UsageFailed error={error} onRetry={() => refetch({ requestPolicy: 'network-only' })} />
  if (!found) return <UsageSkeleton />
  if (found.length === 0) return <NoUsage />
  const days = fullDays(found, span)
  const total = totalOf(days)
  return (
    <>
      <TotalFigures total={total} />
      <ChartCard title="Daily credits" {...singleSeries(days)} />
      <OneTable days={found.toReversed()} total={total} />
    </>
  )
}
