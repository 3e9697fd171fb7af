import type { ReactNode } from 'react'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { DayFigures, UsageFailed } from './DaysUsage.tsx'
import { KeyOrFamilyTable } from './UsageTables.tsx'
import { KeyOrFamilyQuery } from './usageQueries.ts'
import { type DaySpan, momentsOf } from './usageSpan.ts'

/** A key, or a family. */
export type KeyOrFamily = { key: string } | { family: string }

/** The variables of the usage of a key or a family. */
export function keyOrFamilyVariables(selection: KeyOrFamily, span: DaySpan) {
  return { ...momentsOf(span), key: 'key' in selection ? selection.key : null, family: 'family' in selection ? selection.family : null }
}

type KeyOrFamilyUsageProps = { selection: KeyOrFamily; span: DaySpan; limitsAndForecast: ReactNode }

/** Usage of one key or one family by day, with the time that its generations took. */
export function KeyOrFamilyUsage({ selection, span, limitsAndForecast }: KeyOrFamilyUsageProps) {
  const { id } = useTeam()
  const [{ data, error }, refetch] = useQuery({
    query: KeyOrFamilyQuery,
    variables: { team: id, ...keyOrFamilyVariables(selection, span) },
    requestPolicy: 'cache-and-network',
  })
  const found = data?.team?.dailyUsage
  if (error && !found)
    return <UsageFailed error={error} onRetry={() => refetch({ requestPolicy: 'network-only' })} limitsAndForecast={limitsAndForecast} />
  return (
    <DayFigures
      found={found}
      series={'key' in selection ? 'Credits of the key' : 'Credits of the family'}
      span={span}
      limitsAndForecast={limitsAndForecast}
      table={(days, total) => <KeyOrFamilyTable days={days} total={total} />}
    />
  )
}
