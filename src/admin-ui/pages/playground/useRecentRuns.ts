import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { HistoryQuery } from '../history/historyQuery.ts'

const shownRuns = 24
const context = { additionalTypenames: ['Generation'] }

/** The newest runs of people in the team. */
export function useRecentRuns(teamId: string) {
  const variables = { teamId, source: 'EDITOR' as const, first: shownRuns }
  const [{ data, error }, refetch] = useQuery({ query: HistoryQuery, variables, requestPolicy: 'cache-and-network', context })
  return {
    rows: data?.team?.generations.nodes,
    failure: error && failureOf(error),
    reload: () => refetch({ requestPolicy: 'network-only' }),
  }
}
