import { Text } from '@mantine/core'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { useNow } from '../../ui/hooks/useNow.ts'
import { ChartCard } from '../usage/ChartCard.tsx'
import { seriesOf } from '../usage/usageFigures.ts'
import { lastDays, momentsOf } from '../usage/usageSpan.ts'

const KeyDaysQuery = graphql(`
  query KeyDays($team: ID!, $keyId: ID!, $from: DateTime!, $to: DateTime!) {
    team(id: $team) {
      id
      usageByDay(from: $from, to: $to, by: FAMILY, first: 5, keyId: $keyId) {
        day
        isRest
        familyId
        generations
        creditsCharged
        key {
          id
          name
        }
      }
    }
  }
`)

/** The credits of a key in the last 30 days, by family. */
export function KeyChart({ keyId }: { keyId: string }) {
  const { id: team } = useTeam()
  const span = lastDays(30, useNow())
  const [{ data, error }, refetch] = useQuery({
    query: KeyDaysQuery,
    variables: { team, keyId, ...momentsOf(span) },
    requestPolicy: 'cache-and-network',
  })
  const parts = data?.team?.usageByDay
  if (error && !parts)
    return (
      <ErrorNotice
        title="The credits could not be loaded"
        failure={failureOf(error)}
        onRetry={() => refetch({ requestPolicy: 'network-only' })}
      />
    )
  if (!parts) return <BlockSkeleton height={320} />
  if (parts.length === 0) return <Text c="dimmed">This key spent nothing in the last 30 days.</Text>
  return <ChartCard title="Credits of the last 30 days" hasTable={false} {...seriesOf(parts, span)} />
}
