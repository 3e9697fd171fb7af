import { Button, Stack } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { useTeam } from '../../api/viewer.ts'
import { descriptions } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { RowsSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { LoadMore } from '../../ui/table/LoadMore.tsx'
import { usePagedQuery } from '../../ui/table/usePagedQuery.ts'
import { Alerts } from '../alerts/Alerts.tsx'
import { Callbacks } from '../callbacks/Callbacks.tsx'
import { AddWebhookDialog } from './AddWebhookDialog.tsx'
import { useWebhookActions } from './useWebhookActions.ts'
import { WebhookDialogs } from './WebhookDialogs.tsx'
import { WebhookTable } from './WebhookTable.tsx'
import { WebhooksQuery, webhooksContext } from './webhooksQuery.ts'

const refreshSeconds = 20

/** The team's webhooks and their health. Contract: docs/contract.md#pages. */
export function WebhooksPage() {
  const team = useTeam()
  const [isAdding, setIsAdding] = useState(false)
  const { rows, isLoading, failure, hasMore, isLoadingMore, loadMore, reload } = usePagedQuery({
    query: WebhooksQuery,
    variables: { team: team.id },
    pageOf: (data) => data.team?.webhookSubscriptions,
    context: webhooksContext,
  })
  const { asked, act, close, clear } = useWebhookActions()
  usePollWhileVisible(asked === undefined && !isAdding ? refreshSeconds : undefined, async () => reload())
  const isEmpty = rows?.length === 0
  return (
    <>
      <PageHeading
        title="Webhooks"
        description={descriptions.webhooks}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
            Add webhook
          </Button>
        }
      />
      {failure && <ErrorNotice title="Webhooks could not be loaded" failure={failure} onRetry={reload} />}
      {isLoading && <RowsSkeleton rows={3} height={64} />}
      {isEmpty && <NoWebhooksYet onAdd={() => setIsAdding(true)} />}
      {rows !== undefined && !isEmpty && <WebhookTable webhooks={rows} onAction={(action, webhook) => void act(action, webhook)} />}
      <LoadMore hasMore={hasMore} loading={isLoadingMore} onMore={loadMore} />
      <Stack mt="xl" gap="xl">
        <Alerts />
        <Callbacks />
      </Stack>
      <AddWebhookDialog opened={isAdding} onClose={() => setIsAdding(false)} onClosed={reload} />
      <WebhookDialogs
        asked={asked}
        onClose={close}
        onClosed={() => {
          clear()
          reload()
        }}
      />
    </>
  )
}

function NoWebhooksYet({ onAdd }: { onAdd(): void }) {
  return (
    <EmptyState
      icon={IconWebhook}
      title="No webhooks yet"
      action={
        <Button variant="default" onClick={onAdd}>
          Add your first webhook
        </Button>
      }
    >
      Instead of polling, let Atelier send you a signed request when a generation ends.
    </EmptyState>
  )
}
