import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { AddAlertDialog } from './AddAlertDialog.tsx'
import { AlertDialogs, type OpenAlertDialog } from './AlertDialogs.tsx'
import { AlertMenu } from './AlertMenu.tsx'
import { alertKinds } from './alertKinds.ts'
import { type AlertSubscription, AlertsQuery, alertsContext } from './alertQueries.ts'

/** The addresses that are told about low credits, ceilings, ends and failing webhooks. Contract: docs/contract.md#alerts. */
export function Alerts() {
  const { id: team } = useTeam()
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<OpenAlertDialog>()
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
    cell: (alert) => <AlertMenu alert={alert} onAsk={(dialog) => setAsked({ dialog, alert, opened: true })} />,
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
        <Group gap="xs" c="dimmed" wrap="nowrap" align="flex-start">
          <IconBell size={18} stroke={1.6} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Text>No address receives alerts about low credits, ceilings, failing webhooks, or the end of a key or the plan.</Text>
        </Group>
      )}
      {rows && rows.length > 0 && <DataTable label="Alerts" columns={[...columnsOf(team), menu]} rows={rows} keyOf={({ id }) => id} />}
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
      <AddAlertDialog opened={adding} onClose={() => setAdding(false)} />
      <AlertDialogs
        asked={asked}
        onClose={() => setAsked((now) => now && { ...now, opened: false })}
        onClosed={() => setAsked(undefined)}
      />
    </section>
  )
}

const columnsOf = (team: string): Column<AlertSubscription>[] => [
  {
    name: 'Address',
    cell: ({ address, paused }) => (
      <Stack gap={4} align="flex-start" miw={180}>
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          <WordBreaks text={address} />
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
    cell: ({ id, lastDeliveryOutcome }) => (
      <Anchor component={Link} to={paths.screen(team, 'deliveries', { webhook: id })}>
        {lastDeliveryOutcome === null ? 'None yet' : <StateBadge state={lastDeliveryOutcome} />}
      </Anchor>
    ),
  },
]
