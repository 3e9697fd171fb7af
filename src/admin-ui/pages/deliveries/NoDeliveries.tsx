import { Button } from '@mantine/core'
import { IconFilterOff, IconSend, IconWebhook } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'

/** Replaces an empty log: the reason, and what to do. */
export function NoDeliveries({
  isFiltered,
  hasWebhook,
  onClear,
}: {
  isFiltered: boolean
  hasWebhook: boolean | undefined
  onClear(): void
}) {
  const team = useTeam()
  const webhooks = paths.screen(team.id, 'webhooks')
  if (isFiltered)
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No delivery matches these filters"
        action={
          <Button variant="default" onClick={onClear}>
            Show all deliveries
          </Button>
        }
      >
        Deliveries are kept for 30 days.
      </EmptyState>
    )
  if (hasWebhook === false)
    return (
      <EmptyState
        icon={IconWebhook}
        title="No webhooks yet"
        action={
          <Button component={Link} to={webhooks}>
            Add a webhook
          </Button>
        }
      >
        Deliveries to your webhooks are listed here, with every attempt and response. Add a webhook first.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={IconSend}
      title="No deliveries yet"
      action={
        <Button component={Link} to={webhooks} variant="default">
          Go to webhooks
        </Button>
      }
    >
      An event appears here when a generation of your team ends. Send a test event to test your receiver.
    </EmptyState>
  )
}
