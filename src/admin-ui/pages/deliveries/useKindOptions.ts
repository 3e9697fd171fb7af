import { useQuery } from 'urql'
import { useTeam } from '../../api/viewer.ts'
import { FailingCallbacksQuery } from '../callbacks/callbackQueries.ts'
import type { Delivery } from './deliveriesQuery.ts'

/** Values of the filter `Webhook` that select a kind of deliveries. */
export const kindsOfFilter: Partial<Record<string, Delivery['kind']>> = { callbacks: 'CALLBACK', alerts: 'ALERT' }

/** Their options in the filter, with the number of hosts of callbacks that fail. */
export function useKindOptions(): { value: string; label: string }[] {
  const { id: team } = useTeam()
  const [{ data }] = useQuery({ query: FailingCallbacksQuery, variables: { team } })
  const failing = data?.team?.failingCallbacks.length ?? 0
  const note = failing === 0 ? '' : ` (${failing} failing ${failing === 1 ? 'host' : 'hosts'})`
  return [
    { value: 'callbacks', label: `Callbacks of single generations${note}` },
    { value: 'alerts', label: 'Alerts' },
  ]
}
