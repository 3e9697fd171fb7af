import { Paper, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { formatCredits } from '../../ui/display/Credits.tsx'
import { formatDay } from '../../ui/display/days.ts'
import { forecastOf, forecastSpan } from './forecastOf.ts'
import { DaysQuery } from './usageQueries.ts'
import { momentsOf } from './usageSpan.ts'

/** The credits of this month, and of its rest at the pace of the last seven days. Shows nothing while nothing was spent. */
export function MonthForecast({ now }: { now: number }) {
  const { id } = useTeam()
  const [{ data }] = useQuery({
    query: DaysQuery,
    variables: { team: id, ...momentsOf(forecastSpan(now)) },
    requestPolicy: 'cache-and-network',
  })
  const days = data?.team?.usage
  if (!days) return null
  const { spent, forecast, lastDay } = forecastOf(days, now)
  if (forecast === 0) return null
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label="Forecast">
      <Text>
        This month so far: {formatCredits(spent)}. At the pace of the last 7 days, about {formatCredits(Math.round(forecast))} by{' '}
        {formatDay(lastDay)}.
      </Text>
    </Paper>
  )
}
