import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { RowMenu } from '../../ui/table/RowMenu.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { AddAlertDialog } from './AddAlertDialog.tsx'
import { alertKinds } from './alertKinds.ts'
import { type AlertSubscription, AlertsQuery, alertsContext, DeleteAlert, UpdateAlert } from './alertQueries.ts'
import { EditAlertDialog } from './EditAlertDialog.tsx'

/** The addresses that are told about low credits, ceilings, ends and failing webhooks. Contract: docs/contract.md#alerts. */
export function Alerts() {
  const { id: team } = useTeam()
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<{ alert: AlertSubscription; opened: boolean }>()
  const [deleting, setDeleting] = useState<{ alert: AlertSubscription; opened: boolean }>()
  const { rows, isLoading, failure, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: AlertsQuery,
    variables: { team, after: null },
    pageOf: (data) => data.team?.alertSubscriptions,
    context: alertsContext,
  })
  const menu: Column<AlertSubscription> = {
    name: 'Actions',
    hiddenName: true,
    align: 'right',
    width: 56,
    cell: (alert) => (
      <AlertMenu alert={alert} onEdit={() => setEditing({ alert, opened: true })} onDelete={() => setDeleting({ alert, opened: true })} />
    ),
  }
  return (
    <section aria-labelledby="alerts">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="alerts">
          Alerts
        </Title>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add alert
        </Button>
      </Group>
      {failure && <ErrorNotice title="The alerts could not be loaded" failure={failure} onRetry={reload} />}
      {isLoading && <RowsSkeleton rows={2} />}
      {rows?.length === 0 && (
        <Group gap="xs" c="dimmed">
          <IconBell size={18} stroke={1.6} aria-hidden />
          <Text>No address is told about low credits, ceilings, failing webhooks, or the end of a key or the plan.</Text>
        </Group>
      )}
      {rows && rows.length > 0 && <DataTable label="Alerts" columns={[...columns, menu]} rows={rows} keyOf={({ id }) => id} />}
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
      <AddAlertDialog opened={adding} onClose={() => setAdding(false)} />
      {editing && (
        <EditAlertDialog {...editing} onClose={() => setEditing({ ...editing, opened: false })} onClosed={() => setEditing(undefined)} />
      )}
      {deleting && <DeleteAlertDialog {...deleting} onClose={() => setDeleting({ ...deleting, opened: false })} />}
    </section>
  )
}

const columns: Column<AlertSubscription>[] = [
  {
    name: 'Address',
    cell: ({ address, paused }) => (
      <Stack gap={4} align="flex-start" miw={180}>
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
        {paused && <StateBadge state="PAUSED" />}
      </Stack>
    ),
  },
  {
    name: 'Alerts',
    cell: ({ kinds }) => (
      <Text ff="monospace" size="xs">
        {kinds.map((kind) => alertKinds[kind].name).join(', ')}
      </Text>
    ),
  },
  {
    name: 'Last delivery',
    cell: ({ lastDeliveryDay, lastDeliveryOutcome }) =>
      lastDeliveryOutcome === null ? 'None yet' : <StateBadge state={lastDeliveryOutcome} key={lastDeliveryDay} />,
  },
]

function AlertMenu({ alert, onEdit, onDelete }: { alert: AlertSubscription; onEdit(): void; onDelete(): void }) {
  const { id, address, paused } = alert
  const [, update] = useMutation(UpdateAlert)
  const setPaused = async (pause: boolean) => {
    const { error } = await update({ input: { id, paused: pause } })
    if (error) showFailed(pause ? 'The alert was not paused' : 'The alert was not resumed', failureOf(error))
    else showSaved(pause ? 'Paused. Alerts are neither recorded nor sent until you resume.' : 'Resumed.')
  }
  return (
    <RowMenu
      name={address}
      actions={[
        { label: 'Edit', icon: IconPencil, onClick: onEdit },
        paused
          ? { label: 'Resume', icon: IconPlayerPlay, onClick: () => void setPaused(false) }
          : { label: 'Pause', icon: IconPlayerPause, onClick: () => void setPaused(true) },
        { label: 'Delete', icon: IconTrash, onClick: onDelete, destructive: true },
      ]}
    />
  )
}

function DeleteAlertDialog({ alert, opened, onClose }: { alert: AlertSubscription; opened: boolean; onClose(): void }) {
  const [, remove] = useMutation(DeleteAlert)
  const act = async () => {
    const { error } = await remove({ input: { id: alert.id } }, { additionalTypenames: ['AlertSubscription'] })
    if (error) return failureOf(error)
    showSaved('The alert was deleted.')
    return undefined
  }
  return (
    <ConfirmDialog opened={opened} title="Delete this alert?" confirm="Delete alert" onConfirm={act} onClose={onClose}>
      <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {alert.address}
      </Text>
      <Text size="sm">No more alerts are sent to it, and its signing secret is deleted permanently.</Text>
    </ConfirmDialog>
  )
}
