import { Button, Stack, Text } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useNavigate, useParams } from 'react-router'
import { type OperationContext, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { CopyableId } from '../../ui/display/CopyableId.tsx'
import { Facts } from '../../ui/display/Facts.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { BlockSkeleton } from '../../ui/feedback/Skeletons.tsx'
import { useLastData } from '../../ui/hooks/useLastData.ts'
import { usePollWhileVisible } from '../../ui/hooks/usePollWhileVisible.ts'
import { FailedPage } from '../../ui/layout/FailedPage.tsx'
import { LinkToList } from '../../ui/layout/LinkToList.tsx'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { PageSection } from '../../ui/layout/PageSection.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { RecentEntries } from '../audit/RecentEntries.tsx'
import { deliveryName } from '../deliveries/deliveryNames.ts'
import { outcomeOf } from '../deliveries/explainReply.ts'
import { NotFoundPage } from '../NotFoundPage.tsx'
import { useWebhookActions } from './useWebhookActions.ts'
import { WebhookDialogs } from './WebhookDialogs.tsx'
import { WebhookHealth } from './WebhookHealth.tsx'
import { WebhookMenu } from './WebhookMenu.tsx'
import { WebhookStateBadge } from './WebhookStateBadge.tsx'
import { WebhookQuery, type WebhookWithLog } from './webhooksQuery.ts'

const context: Partial<OperationContext> = {
  additionalTypenames: ['WebhookSubscription', 'WebhookDelivery'],
  requestPolicy: 'cache-and-network',
}
const refreshSeconds = 30

/** One webhook: its health, last deliveries, secret and changes. Contract: docs/contract.md#pages. */
export function WebhookPage() {
  const { webhookId = '' } = useParams()
  const { id: team } = useTeam()
  const [{ data, error }, refetch] = useQuery({ query: WebhookQuery, variables: { team, id: webhookId }, context })
  const reload = () => refetch({ requestPolicy: 'network-only' })
  usePollWhileVisible(refreshSeconds, async () => reload())
  const last = useLastData(data, error)
  const webhook = last?.webhookSubscription
  if (last && webhook?.id === webhookId && webhook.team.id === team && webhook.deletedAt === null) {
    return <Details webhook={webhook} rotatedAt={rotationIn(last) ?? webhook.createdAt} onChanged={reload} />
  }
  if (error && failureOf(error).code !== 'access_denied')
    return (
      <FailedPage heading="Webhook" list="webhooks" title="The webhook could not be loaded" failure={failureOf(error)} onRetry={reload} />
    )
  return error || data ? <NotFoundPage /> : <BlockSkeleton height={240} />
}

/** The time of the last rotation of the secret. */
function rotationIn({ team }: ResultOf<typeof WebhookQuery>): string | undefined {
  return team?.rotations?.nodes[0]?.time
}

function Details({ webhook, rotatedAt, onChanged }: { webhook: WebhookWithLog; rotatedAt: string; onChanged(): void }) {
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const { asked, act, close, clear } = useWebhookActions()
  return (
    <>
      <LinkToList screen="webhooks" />
      <PageHeading
        title={webhook.address}
        description="Webhook"
        actions={
          <>
            <WebhookMenu webhook={webhook} onAction={(action) => void act(action, webhook)} />
            <Button variant="default" disabled={webhook.paused} onClick={() => void act('test', webhook)}>
              Send test event
            </Button>
            <Button onClick={() => void act('edit', webhook)}>Edit</Button>
          </>
        }
      />
      <Stack gap="xl">
        <Facts facts={factsOf(webhook, rotatedAt)} />
        <PageSection title="Health">
          <WebhookHealth {...webhook} />
        </PageSection>
        <PageSection
          title="Last deliveries"
          more={{ to: paths.screen(team, 'deliveries', { webhook: webhook.id }), words: 'All deliveries' }}
        >
          <LastDeliveries webhook={webhook} />
        </PageSection>
        <PageSection title="Changes" more={{ to: paths.screen(team, 'audit', { subject: webhook.id }), words: 'Audit log' }}>
          <RecentEntries subjectId={webhook.id} />
        </PageSection>
      </Stack>
      <WebhookDialogs
        asked={asked}
        onClose={close}
        onClosed={() => {
          const isDeleted = asked?.dialog === 'delete'
          clear()
          if (isDeleted) void navigate(paths.screen(team, 'webhooks'))
          else onChanged()
        }}
      />
    </>
  )
}

function factsOf(webhook: WebhookWithLog, rotatedAt: string) {
  const { events, createdAt, secretOverlapEndsAt, id } = webhook
  return [
    ['State', <WebhookStateBadge key="state" webhook={webhook} />],
    ['Events', events.map((event) => deliveryName(event)).join(', ')],
    [
      'Secret since',
      <>
        <Moment at={rotatedAt} />
        {secretOverlapEndsAt !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            The old one also signs until <Moment at={secretOverlapEndsAt} />.
          </Text>
        )}
      </>,
    ],
    ['Added', <Moment key="added" at={createdAt} />],
    ['Webhook ID', <CopyableId key="id" name="webhook ID" id={id} />],
  ] as const
}

type Delivery = WebhookWithLog['deliveries']['nodes'][number]

const columns: Column<Delivery>[] = [
  { name: 'Event', cell: ({ event, isTest }) => `${deliveryName(event)}${isTest ? ' (test)' : ''}` },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { name: 'Answer', cell: (delivery) => outcomeOf(delivery) },
  { name: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
  { name: 'When', cell: ({ time }) => <Moment at={time} /> },
]

function LastDeliveries({ webhook: { id, deliveries } }: { webhook: WebhookWithLog }) {
  const { id: team } = useTeam()
  if (deliveries.nodes.length === 0) return <Text c="dimmed">No event was sent in the last 30 days.</Text>
  return (
    <DataTable
      label="Last deliveries"
      columns={columns}
      rows={deliveries.nodes}
      keyOf={(delivery) => delivery.id}
      linkOf={(delivery) => paths.screen(team, 'deliveries', { webhook: id, delivery: delivery.id })}
    />
  )
}
