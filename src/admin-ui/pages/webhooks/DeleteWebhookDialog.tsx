import { List, Stack, Text } from '@mantine/core'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import type { Webhook } from './webhooksQuery.ts'

const Delete = graphql(`
  mutation DeleteWebhook($input: DeleteWebhookSubscriptionInput!) {
    deleteWebhookSubscription(input: $input)
  }
`)

/** Ends a webhook for good. */
export function DeleteWebhookDialog({
  webhook,
  opened,
  onClose,
  onDeleted,
}: {
  webhook: Webhook
  opened: boolean
  onClose(): void
  onDeleted(): void
}) {
  const [, remove] = useMutation(Delete)
  const open = webhook.health.waiting + webhook.health.retrying
  const confirm = async () => {
    const { error } = await remove({ input: { id: webhook.id } })
    if (error) return failureOf(error)
    showSaved('The webhook was deleted.')
    onDeleted()
    return undefined
  }
  return (
    <ConfirmDialog opened={opened} title="Delete this webhook?" confirm="Delete webhook" onConfirm={confirm} onClose={onClose}>
      <Stack gap="xs">
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {webhook.address}
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>Nothing is sent there any more, and its signing secret is gone for good.</List.Item>
          {open > 0 && (
            <List.Item>
              {open === 1 ? 'The delivery that is still open is given up.' : `The ${open} deliveries that are still open are given up.`}
            </List.Item>
          )}
          <List.Item>Its deliveries can be read for 30 days.</List.Item>
        </List>
      </Stack>
    </ConfirmDialog>
  )
}
