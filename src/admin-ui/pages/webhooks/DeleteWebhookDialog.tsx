import { List, Stack, Text } from '@mantine/core'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { graphql } from '../../api/graphql.ts'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import type { Webhook } from './webhooksQuery.ts'

const Delete = graphql(`
  mutation DeleteWebhook($input: DeleteWebhookSubscriptionInput!) {
    deleteWebhookSubscription(input: $input)
  }
`)

/** Deletes a webhook. */
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
          <WordBreaks text={webhook.address} />
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>No more events are sent, and the signing secret is deleted permanently.</List.Item>
          {open > 0 && <List.Item>{open === 1 ? 'The open delivery is not sent.' : `The ${open} open deliveries are not sent.`}</List.Item>}
          <List.Item>Its deliveries stay visible for 30 days.</List.Item>
        </List>
      </Stack>
    </ConfirmDialog>
  )
}
