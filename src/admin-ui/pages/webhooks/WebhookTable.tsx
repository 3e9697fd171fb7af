import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { formatDay } from '../../ui/display/days.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { TextBadge } from '../../ui/display/TextBadge.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { LinkFromList } from '../../ui/layout/LinkToList.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { eventNames } from './eventNames.ts'
import { formatSuccessRate } from './formatSuccessRate.ts'
import { HealthSparkline } from './HealthSparkline.tsx'
import { HourText } from './HourText.tsx'
import { type WebhookAction, WebhookMenu } from './WebhookMenu.tsx'
import { WebhookStateBadge } from './WebhookStateBadge.tsx'
import { lastAttemptHour } from './webhookState.ts'
import type { Webhook } from './webhooksQuery.ts'

/** The team's webhooks with their health. */
export function WebhookTable({
  webhooks,
  onAction,
}: {
  webhooks: readonly Webhook[]
  onAction(action: WebhookAction, webhook: Webhook): void
}) {
  const team = useTeam()
  const columns: Column<Webhook>[] = [
    { name: 'Address', cell: (webhook) => <AddressCell webhook={webhook} /> },
    { name: 'Events', width: 190, cell: ({ events }) => <EventsCell events={events} />, priority: 'low' },
    { name: 'Last 24 hours', width: 200, cell: ({ health }) => <HealthCell health={health} /> },
    { name: 'Last delivery', width: 180, cell: (webhook) => <LastCell webhook={webhook} href={deliveriesOf(team.id, webhook)} /> },
    {
      name: 'Actions',
      hiddenName: true,
      align: 'right',
      width: 56,
      cell: (webhook) => <WebhookMenu webhook={webhook} onAction={(action) => onAction(action, webhook)} />,
    },
  ]
  return <DataTable label="Webhooks" columns={columns} rows={webhooks} keyOf={({ id }) => id} />
}

function deliveriesOf(teamId: string, { id }: Webhook): string {
  return paths.screen(teamId, 'deliveries', { webhook: id })
}

function AddressCell({ webhook }: { webhook: Webhook }) {
  const { id, address, secretOverlapEndsAt } = webhook
  const { id: team } = useTeam()
  return (
    <Stack gap={4} miw={200}>
      <Anchor component={LinkFromList} to={paths.webhook(team, id)} ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        <WordBreaks text={address} />
      </Anchor>
      <WebhookStateBadge webhook={webhook} />
      {secretOverlapEndsAt !== null && (
        <Text size="xs" c="dimmed">
          The old secret also signs until <Moment at={secretOverlapEndsAt} />.
        </Text>
      )}
    </Stack>
  )
}

function EventsCell({ events }: Pick<Webhook, 'events'>) {
  return (
    <Stack gap={2}>
      {events.map((event) => (
        <Text key={event} ff="monospace" size="xs">
          {eventNames[event].name}
        </Text>
      ))}
    </Stack>
  )
}

/** Counts stop here. */
const countMax = 1000
const formatCount = (count: number) => (count >= countMax ? `${countMax} or more` : String(count))

function HealthCell({ health }: Pick<Webhook, 'health'>) {
  const { successRate, waiting, retrying } = health
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        {successRate !== null && <HealthSparkline health={health} />}
        <Text
          size="xs"
          className="tabular"
          {...(successRate === null ? { c: 'dimmed' } : {})}
          title="Attempts that were answered with a 2xx"
        >
          {formatSuccessRate(successRate)}
        </Text>
      </Group>
      {(waiting > 0 || retrying > 0) && (
        <Group gap={4}>
          {retrying > 0 && <TextBadge color="orange" word={`${formatCount(retrying)} retrying`} />}
          {waiting > 0 && <TextBadge color="gray" word={`${formatCount(waiting)} waiting`} />}
        </Group>
      )}
    </Stack>
  )
}

function LastCell({ webhook: { address, lastDeliveryDay, lastDeliveryOutcome, health }, href }: { webhook: Webhook; href: string }) {
  return (
    <Stack gap={4} align="flex-start">
      {lastDeliveryDay === null || lastDeliveryOutcome === null ? (
        <Text size="sm" c="dimmed">
          None yet
        </Text>
      ) : (
        <Group gap={6} wrap="nowrap">
          <LastTime day={lastDeliveryDay} health={health} />
          <StateBadge state={lastDeliveryOutcome} />
        </Group>
      )}
      <Anchor component={Link} to={href} size="xs" aria-label={`Deliveries of ${address}`}>
        Deliveries
      </Anchor>
    </Stack>
  )
}

/** The hour of the last attempt in the reader's time zone. Before the last 24 hours only the day in UTC is known. */
function LastTime({ day, health }: { day: string; health: Webhook['health'] }) {
  const hour = lastAttemptHour(health)
  return (
    <Text size="sm" component="span" style={{ whiteSpace: 'nowrap' }}>
      {hour === undefined ? `${formatDay(day)} UTC` : <HourText start={hour} />}
    </Text>
  )
}
