import { Checkbox, Stack } from '@mantine/core'
import { allEvents, eventNames } from './eventNames.ts'
import type { WebhookEvent } from './webhooksQuery.ts'

/** The events of a webhook. */
export function EventChoices({
  value,
  onChange,
  error,
}: {
  value: readonly WebhookEvent[]
  onChange(value: WebhookEvent[]): void
  error?: string | undefined
}) {
  return (
    <Checkbox.Group
      label="Events"
      value={[...value]}
      onChange={(chosen) => onChange(allEvents.filter((event) => chosen.includes(event)))}
      error={error}
    >
      <Stack gap="xs" mt={6} mb={error === undefined ? 0 : 6}>
        {allEvents.map((event, index) => (
          <Checkbox
            key={event}
            value={event}
            data-autofocus={index === 0 || undefined}
            label={eventNames[event].name}
            description={eventNames[event].when}
            styles={{ label: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
