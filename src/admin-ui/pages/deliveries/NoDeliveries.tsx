import { Button } from '@mantine/core'
import { IconFilterOff, IconSend, IconWebhook } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'

/** In place of a log without entries: why there are none, and what to do. */
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
        title="No delivery fits these filters"
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
        What Atelier sends to your webhooks is listed here, with every attempt and every answer. There is no webhook yet.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={IconSend}
      title="Nothing was sent yet"
      action={
        <Button component={Link} to={webhooks} variant="default">
          Go to webhooks
        </Button>
      }
    >
      When a generation of your team ends, its event appears here. To try a receiver, send it a test event.
    </EmptyState>
  )
}
