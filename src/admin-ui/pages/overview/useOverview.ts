import { useDeferredValue } from 'react'
import { type AnyVariables, type TypedDocumentNode, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { fullDays } from '../usage/usageFigures.ts'
import { type DaySpan, momentsOf } from '../usage/usageSpan.ts'
import { AccessQuery, type OverviewTeam, StandingQuery, WorkQuery } from './overviewQuery.ts'

const refreshSeconds = 30

/** Loads the overview, and refreshes it while the page is visible. */
export function useOverview(span: DaySpan) {
  const { id: team, mayManage } = useTeam()
  const standing = useFresh(StandingQuery, { team })
  const work = useFresh(WorkQuery, { team, ...momentsOf(span) })
  const access = useFresh(AccessQuery, { team }, !mayManage)
  const reload = () => {
    for (const each of mayManage ? [standing, work, access] : [standing, work]) each.reload()
  }
  usePollWhileVisible(refreshSeconds, async () => reload())
  const error = standing.error ?? work.error ?? access.error
  const [standingTeam, workTeam, accessTeam] = [standing.data?.team, work.data?.team, access.data?.team]
  const isLoaded = standingTeam && workTeam && (accessTeam || !mayManage)
  const overview: OverviewTeam | undefined = isLoaded
    ? { ...accessTeam, ...standingTeam, ...workTeam, usage: fullDays(workTeam.usage, span) }
    : undefined
  return { overview, failure: error && failureOf(error), reload }
}

function useFresh<Data, Variables extends AnyVariables>(query: TypedDocumentNode<Data, Variables>, variables: Variables, pause = false) {
  const [{ data, error }, refetch] = useQuery({ query, variables, pause, requestPolicy: 'cache-and-network' })
  // Rendered in short tasks, because the page is large.
  return { data: useDeferredValue(data), error, reload: () => refetch({ requestPolicy: 'network-only' }) }
}
