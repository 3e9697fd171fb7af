import { useDeferredValue } from 'react'
import { type Location, useLocation } from 'react-router'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam, useViewer } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { Playground } from './Playground.tsx'
import { PlaygroundQuery } from './playgroundQueries.ts'
import type { PlaygroundEntry } from './usePlaygroundState.ts'

/** Runs models on the credits of the team. Contract: docs/contract.md#runs-by-people. */
export function PlaygroundPage() {
  const team = useTeam()
  const { id: userId } = useViewer()
  const { key, state } = useLocation() as Location<PlaygroundEntry>
  const [{ data: read, error }, refetch] = useQuery({
    query: PlaygroundQuery,
    variables: { teamId: team.id, userId },
    requestPolicy: 'cache-and-network',
  })
  // Rendered in short tasks, because the form is large.
  const data = useDeferredValue(read)
  const refresh = () => refetch({ requestPolicy: 'network-only' })
  return (
    <>
      <PageHeading title="Playground" description={descriptions.playground} />
      {error && !data && <ErrorNotice title="The playground could not be loaded" failure={failureOf(error)} onRetry={refresh} />}
      {!error && !data && <BlockSkeleton height={420} />}
      {data?.team && (
        <Playground
          // Opening a result adds a history entry, but keeps the page.
          key={state?.playground ?? key}
          families={data.families.nodes}
          runs={data.team.personRuns}
          dailyLimit={data.team.runDailyLimitCredits}
          members={data.team.members.nodes}
          onEnded={refresh}
        />
      )}
    </>
  )
}
