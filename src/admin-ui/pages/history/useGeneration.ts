import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { isOpen } from './generationLabels.ts'
import { GenerationQuery } from './historyQuery.ts'

/** One generation of the team, read again every `followSeconds` until it has ended. */
export function useGeneration(id: string, { followSeconds }: { followSeconds: number }) {
  const { id: teamId } = useTeam()
  const [{ data, error }, ask] = useQuery({ query: GenerationQuery, variables: { teamId, id }, requestPolicy: 'cache-and-network' })
  const refresh = () => ask({ requestPolicy: 'network-only' })
  const found = data?.team?.generation
  // While another one loads, the former answer does not count.
  const generation = found?.generationId === id ? found : undefined
  usePollWhileVisible(generation && isOpen(generation) ? followSeconds : undefined, async () => refresh())
  return { generation, failure: error && failureOf(error), refresh }
}
