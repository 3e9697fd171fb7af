import { Box, Button, Stack, Text, Title } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import { Moment } from '../../ui/display/Moment.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { EditKeyDialog } from '../keys/EditKeyDialog.tsx'
import { type KeyAction, KeyState, keyActions } from '../keys/KeyTable.tsx'
import { keysContext } from '../keys/keyQueries.ts'
import { RevokeKeyDialog } from '../keys/RevokeKeyDialog.tsx'
import { RotateKeyDialog } from '../keys/RotateKeyDialog.tsx'
import { SpendToday } from '../keys/SpendToday.tsx'
import { type AgentKey, AgentKeysQuery } from './agentQueries.ts'
import { Configurations } from './Configurations.tsx'

/** The agent keys of a person. */
export function AgentKeys({ onIssue }: { onIssue: (() => void) | undefined }) {
  const [dialog, setDialog] = useState<KeyAction>()
  // Kept while its dialog closes.
  const [row, setRow] = useState<AgentKey>()
  const close = () => setDialog(undefined)
  const keys = usePagedQuery({
    query: AgentKeysQuery,
    variables: {},
    pageOf: (data) => data.viewer.user?.agentKeys,
    context: keysContext,
  })
  const act = (action: KeyAction, chosen: AgentKey) => {
    setRow(chosen)
    setDialog(action)
  }
  return (
    <Box component="section" aria-label="Your agent keys" mb="xl">
      <Title order={2} mb="xs">
        Your agent keys
      </Title>
      {keys.failure && <ErrorNotice title="Keys could not be loaded" failure={keys.failure} onRetry={keys.reload} />}
      {keys.isLoading && <RowsSkeleton rows={2} height={64} />}
      {keys.rows?.length === 0 && <NoKeys onIssue={onIssue} />}
      {keys.rows && keys.rows.length > 0 && (
        <DataTable label="Your agent keys" rows={keys.rows} keyOf={({ id }) => id} columns={[...columns, keyActions(act)]} />
      )}
      <LoadMore hasMore={keys.hasMore} loading={keys.isLoadingMore} onMore={keys.loadMore} />
      {row && (
        <>
          <EditKeyDialog row={row} opened={dialog === 'edit'} onClose={close} />
          <RotateKeyDialog
            row={row}
            opened={dialog === 'rotate'}
            onClose={close}
            usageOf={({ value }) => <Configurations value={value} />}
          />
          <RevokeKeyDialog row={row} opened={dialog === 'revoke'} onClose={close} />
        </>
      )}
    </Box>
  )
}

function NoKeys({ onIssue }: { onIssue: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={IconRobot}
      title="No agent keys yet"
      action={
        onIssue && (
          <Button variant="default" onClick={onIssue}>
            Issue your first key
          </Button>
        )
      }
    >
      {onIssue
        ? 'Issue one key for each agent. Then you can tell them apart and revoke each one separately.'
        : 'You can issue keys here when your subscription is active.'}
    </EmptyState>
  )
}

const columns: Column<AgentKey>[] = [
  {
    name: 'Key',
    width: '28%',
    cell: ({ name, prefix }) => (
      <Stack gap={2} miw={160}>
        <Text size="sm" fw={500} lineClamp={2} title={name} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {prefix}…
        </Text>
      </Stack>
    ),
  },
  { name: 'State', cell: (row) => <KeyState row={row} /> },
  { name: 'Spent today', cell: (row) => <SpendToday {...row} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} otherwise="never" /> },
  { name: 'History', cell: ({ team }) => <bdi>{team?.name ?? 'Your own'}</bdi> },
]
