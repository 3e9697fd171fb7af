import { Group, Text } from '@mantine/core'
import { Moment } from '../../ui/display/Moment.tsx'
import { StateBadge } from '../../ui/display/StateBadge.tsx'
import { HourText } from './HourText.tsx'
import { failingSince, webhookState } from './webhookState.ts'
import type { Webhook } from './webhooksQuery.ts'

/** The state of a webhook; since when, if it fails. */
export function WebhookStateBadge({ webhook }: { webhook: Pick<Webhook, 'paused' | 'autoPausedAt' | 'lastDeliveryOutcome' | 'health'> }) {
  const state = webhookState(webhook)
  const since = state === 'FAILING' ? failingSince(webhook.health) : undefined
  return (
    <Group gap={6}>
      <StateBadge state={state} />
      {since && (
        <Text size="xs" c="dimmed">
          <HourText start={since.start} prefix={since.orEarlier ? 'since before' : 'since'} />
        </Text>
      )}
      {state === 'PAUSED' && (
        <Text size="xs" c="dimmed">
          {webhook.autoPausedAt === null ? (
            'Events are neither recorded nor sent.'
          ) : (
            <>
              Since <Moment at={webhook.autoPausedAt} />, because every attempt failed for days. Events are kept as failed deliveries for 30
              days: resume, then recover them.
            </>
          )}
        </Text>
      )}
    </Group>
  )
}
