import { Alert, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { SidePanel } from '../../ui/layout/SidePanel.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { DeliveryQuery } from './deliveriesQuery.ts'
import { pollSeconds } from './useDeliveries.ts'

/** One delivery beside the log. Closed without `id`. `onClosed` gets the delivery that was open last. */
export function DeliveryPanel({
  id,
  onClose,
  onClosed,
  onChanged,
}: {
  id: string | undefined
  onClose(): void
  onClosed(id: string): void
  onChanged(id: string): void
}) {
  // Keeps the delivery while the panel closes.
  const [lastId, setLastId] = useState(id)
  if (id !== undefined && id !== lastId) setLastId(id)
  return (
    <SidePanel
      title="Delivery"
      opened={id !== undefined}
      onClose={onClose}
      onClosed={() => lastId !== undefined && onClosed(lastId)}
      returnFocus={false}
    >
      {lastId !== undefined && <Loaded key={lastId} id={lastId} onChanged={() => onChanged(lastId)} />}
    </SidePanel>
  )
}

function Loaded({ id, onChanged }: { id: string; onChanged(): void }) {
  const team = useTeam()
  const [{ data, error, fetching }, refetch] = useQuery({ query: DeliveryQuery, variables: { id }, requestPolicy: 'cache-and-network' })
  const found = data?.webhookDelivery
  const state = found?.state
  const tell = useEffectEvent(onChanged)
  const first = useRef(state)
  useEffect(() => {
    if (first.current !== undefined && first.current !== state) tell()
    first.current = state
  }, [state])
  const isOpen = found?.state === 'PENDING' || found?.state === 'RETRYING'
  const look = async () => refetch({ requestPolicy: 'network-only' })
  usePollWhileVisible(isOpen ? pollSeconds : undefined, look)
  if (found?.team.id === team.id) {
    const changed = () => {
      refetch({ requestPolicy: 'network-only' })
      onChanged()
    }
    return <DeliveryDetails delivery={found} onChanged={changed} />
  }
  if (fetching && !data) return <BlockSkeleton height={320} />
  const failure = error && failureOf(error)
  if (failure && failure.code !== 'access_denied') {
    return <ErrorNotice title="The delivery could not be loaded" failure={failure} onRetry={() => void look()} />
  }
  return (
    <Alert color="gray" title="This delivery does not exist">
      <Text size="sm">Deliveries are kept for 30 days.</Text>
    </Alert>
  )
}
