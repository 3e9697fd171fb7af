import { Badge, Group, Text } from '@mantine/core'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { type Column, DataTable } from '../../ui/table/DataTable.tsx'
import type { Delivery } from './deliveriesQuery.ts'
import { deliveryName, kindNames } from './deliveryNames.ts'
import { outcomeOf } from './explainReply.ts'

const columns: Column<Delivery>[] = [
  { name: 'Event', width: 250, cell: (delivery) => <EventCell delivery={delivery} /> },
  { name: 'State', width: 100, cell: ({ state }) => <StateCell state={state} /> },
  { name: 'Webhook', cell: ({ address }) => <Address text={address} />, priority: 'low' },
  { name: 'Answer', cell: (delivery) => <TruncatedText text={outcomeOf(delivery)} /> },
  { name: 'Attempts', align: 'right', width: 80, cell: ({ attempts }) => <span className="tabular">{attempts}</span>, priority: 'low' },
  { name: 'Time', width: 150, cell: ({ time }) => <Moment at={time} /> },
]

/** The delivery log. A click on a row opens its delivery. */
export function DeliveryTable({
  deliveries,
  selected,
  onOpen,
}: {
  deliveries: readonly Delivery[]
  selected: string | undefined
  onOpen(id: string): void
}) {
  return (
    <>
      <Text size="xs" c="dimmed" mb={6} className="keyboard-hint">
        J and K move between rows, and Enter opens one.
      </Text>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={deliveries}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        selected={selected}
      />
    </>
  )
}

/** The state is never truncated. */
function StateCell({ state }: Pick<Delivery, 'state'>) {
  return (
    <Group wrap="nowrap" miw="max-content">
      <StateBadge state={state} />
    </Group>
  )
}

function EventCell({ delivery: { id, kind, event, eventNumber, isTest } }: { delivery: Delivery }) {
  return (
    <Group gap={6} wrap="nowrap" data-row={id}>
      <Text span ff="monospace" size="sm">
        {deliveryName(event)}
      </Text>
      <Text span size="sm" c="dimmed" className="tabular" title="Number of the event at this address">
        #{eventNumber}
      </Text>
      {kind !== 'WEBHOOK' && (
        <Badge variant="default" size="sm">
          {kindNames[kind]}
        </Badge>
      )}
      {isTest && (
        <Badge variant="default" size="sm">
          Test
        </Badge>
      )}
    </Group>
  )
}

/** Not truncated, because addresses of one host differ at their end. */
function Address({ text }: { text: string }) {
  return (
    <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      <WordBreaks text={text} />
    </Text>
  )
}

/** Truncated to one line, with the full text on hover. */
function TruncatedText({ text }: { text: string }) {
  return (
    <Text size="sm" truncate maw={280} title={text}>
      {text}
    </Text>
  )
}
