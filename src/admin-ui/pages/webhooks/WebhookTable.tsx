import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { TextBadge } from '../../ui/display/TextBadge.tsx'
import { inTimeZone } from '../../ui/display/timeZone.ts'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import { eventNames } from './eventNames.ts'
import { formatSuccessRate } from './formatSuccessRate.ts'
import { type WebhookAction, WebhookMenu } from './WebhookMenu.tsx'
import type { Webhook, WebhookHealth } from './webhooksQuery.ts'

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
    { name: 'Events', width: 190, cell: ({ events }) => <EventsCell events={events} /> },
    { name: 'Last 24 hours', width: 230, cell: ({ health }) => <HealthCell health={health} /> },
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

function AddressCell({ webhook: { address, paused, secretOverlapEndsAt } }: { webhook: Webhook }) {
  return (
    <Stack gap={4} miw={200}>
      <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {address}
      </Text>
      <Group gap={6}>
        <StateBadge state={paused ? 'PAUSED' : 'ACTIVE'} />
        {paused && (
          <Text size="xs" c="dimmed">
            Events are neither recorded nor sent.
          </Text>
        )}
        {secretOverlapEndsAt !== null && (
          <Text size="xs" c="dimmed">
            The old secret also signs until <Moment at={secretOverlapEndsAt} />.
          </Text>
        )}
      </Group>
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
        <HealthSparkline health={health} />
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

function LastCell({ webhook: { address, lastDeliveryDay, lastDeliveryOutcome }, href }: { webhook: Webhook; href: string }) {
  return (
    <Stack gap={4} align="flex-start">
      {lastDeliveryDay === null || lastDeliveryOutcome === null ? (
        <Text size="sm" c="dimmed">
          None yet
        </Text>
      ) : (
        <Group gap={6} wrap="nowrap">
          <Text size="sm" style={{ whiteSpace: 'nowrap' }} title={`${lastDeliveryDay}, in UTC`}>
            {formatDay(lastDeliveryDay)}
          </Text>
          <StateBadge state={lastDeliveryOutcome} />
        </Group>
      )}
      <Anchor component={Link} to={href} size="xs" aria-label={`Deliveries of ${address}`}>
        Deliveries
      </Anchor>
    </Stack>
  )
}

/** Formats a UTC day. */
function formatDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

const barWidth = 4
const gap = 1
const height = 24
const figures = new Intl.NumberFormat()

/** The last 24 hours, one bar per hour: deliveries, and above them failed attempts in red. */
function HealthSparkline({ health: { hours, delivered, failedAttempts } }: { health: WebhookHealth }) {
  const most = Math.max(1, ...hours.map((hour) => hour.delivered + hour.failedAttempts))
  // Small counts are still visible.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 2)))
  return (
    <svg
      role="img"
      aria-label={`Last 24 hours: ${figures.format(delivered)} delivered, ${figures.format(failedAttempts)} failed attempts`}
      width={hours.length * (barWidth + gap) - gap}
      height={height}
      style={{ display: 'block', flex: 'none' }}
    >
      {hours.map((hour, index) => {
        const failed = tall(hour.failedAttempts)
        const arrived = Math.min(tall(hour.delivered), height - failed)
        const bar = { x: index * (barWidth + gap), width: barWidth }
        return (
          <g key={hour.start}>
            <title>{`${formatHour(hour.start)}: ${figures.format(hour.delivered)} delivered, ${figures.format(hour.failedAttempts)} failed`}</title>
            <rect {...bar} y={0} height={height} fill="transparent" />
            <rect {...bar} y={height - 1} height={1} fill="var(--atelier-border)" />
            <rect {...bar} y={height - arrived} height={arrived} fill="light-dark(#2f9e44, #51cf66)" />
            <rect {...bar} y={height - arrived - failed} height={failed} fill="light-dark(#e03131, #ff6b6b)" />
          </g>
        )
      })}
    </svg>
  )
}

function formatHour(start: string): string {
  const time = inTimeZone({ hour: '2-digit', minute: '2-digit' })
  const end = new Date(Date.parse(start) + 3_600_000)
  return `${new Date(start).toLocaleTimeString(undefined, time)} to ${end.toLocaleTimeString(undefined, time)}`
}
