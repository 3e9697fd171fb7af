import { Stack, Text } from '@mantine/core'
import type { ResultOf } from 'gql.tada'
import { useNavigate, useParams } from 'react-router'
import { type OperationContext, useQuery } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
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
import { NotFoundPage } from '../NotFoundPage.tsx'
import { formatSuccessRate } from './formatSuccessRate.ts'
import { HealthBars } from './HealthBars.tsx'
import { HealthSparkline } from './HealthSparkline.tsx'
import { useWebhookActions } from './useWebhookActions.ts'
import { WebhookDialogs } from './WebhookDialogs.tsx'
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
        actions={<WebhookMenu webhook={webhook} onAction={(action) => void act(action, webhook)} />}
      />
      <Stack gap="xl">
        <Facts facts={factsOf(webhook, rotatedAt)} />
        <PageSection title="Health">
          <Health {...webhook} />
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
    ['Webhook ID', id],
  ] as const
}

function Health({ health, healthByDay }: Pick<WebhookWithLog, 'health' | 'healthByDay'>) {
  const { delivered, failedAttempts, successRate, waiting, retrying } = health
  const isQuiet = healthByDay.every((day) => day.delivered + day.failedAttempts === 0)
  return (
    <Stack gap="xs">
      {successRate === null ? (
        <Text c="dimmed">No delivery was attempted in the last {isQuiet ? '30 days' : '24 hours'}.</Text>
      ) : (
        <Stack gap={6} mb="xs">
          <HealthSparkline health={health} scale={3} />
          <Text c="dimmed">
            Last 24 hours: {delivered.toLocaleString()} delivered, {failedAttempts.toLocaleString()} failed attempts. Success rate:{' '}
            {formatSuccessRate(successRate)}.
          </Text>
        </Stack>
      )}
      {(retrying > 0 || waiting > 0) && (
        <Text c="dimmed">
          Open deliveries: {retrying.toLocaleString()} retrying, {waiting.toLocaleString()} waiting.
        </Text>
      )}
      <HealthOfDays days={healthByDay} />
    </Stack>
  )
}

/** The last 30 days, one bar per day in UTC. */
function HealthOfDays({ days }: { days: WebhookWithLog['healthByDay'] }) {
  const [delivered, failed] = (['delivered', 'failedAttempts'] as const).map((name) => days.reduce((sum, day) => sum + day[name], 0))
  if (!delivered && !failed) return null
  const words = `Last 30 days: ${(delivered ?? 0).toLocaleString()} delivered, ${(failed ?? 0).toLocaleString()} failed attempts`
  return (
    <Stack gap={6}>
      <HealthBars bars={days.map((day) => ({ ...day, key: day.day, span: `${day.day} (UTC)` }))} label={words} scale={3} />
      <Text c="dimmed">{words}.</Text>
    </Stack>
  )
}

type Delivery = WebhookWithLog['deliveries']['nodes'][number]

const columns: Column<Delivery>[] = [
  { name: 'Event', cell: ({ event, isTest }) => `${deliveryName(event)}${isTest ? ' (test)' : ''}` },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { name: 'Answer', cell: ({ responseCode, refusalText }) => responseCode ?? refusalText ?? '–' },
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
