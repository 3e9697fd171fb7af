import { useMutation } from 'urql'
import { graphql } from '../../api/graphql.ts'
import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx'
import { EditWebhookDialog } from './EditWebhookDialog.tsx'
import { RecoverDialog } from './RecoverDialog.tsx'
import { RotateSecretDialog } from './RotateSecretDialog.tsx'
import type { OpenDialog } from './useWebhookActions.ts'
import type { WebhookDialogProps } from './webhookDialogProps.ts'

/** The dialog that was opened from the menu of a webhook. It is outside the list, so that a refetch does not close it. */
export function WebhookDialogs({ asked, onClose, onClosed }: { asked: OpenDialog | undefined; onClose(): void; onClosed(): void }) {
  if (!asked) return null
  const { dialog, webhook, opened, failedSince } = asked
  const shared = { webhook, opened, onClose }
  switch (dialog) {
    case 'edit':
      return <EditWebhookDialog {...shared} onClosed={onClosed} />
    case 'rotate':
      return <RotateWebhookSecret {...shared} onClosed={onClosed} />
    case 'recover':
      return (
        <RecoverDialog
          address={webhook.address}
          failedOf={{ subscriptionId: webhook.id }}
          filter={webhook.id}
          failedSince={failedSince}
          {...{ opened, onClose, onClosed }}
        />
      )
    case 'delete':
      return <DeleteWebhookDialog {...shared} onDeleted={onClosed} />
  }
}

const Rotate = graphql(`
  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) {
      signingSecret
    }
  }
`)

function RotateWebhookSecret({ webhook: { id, address }, ...dialog }: WebhookDialogProps) {
  const [, rotate] = useMutation(Rotate)
  const act = async (overlapHours: number) => {
    const { data, error } = await rotate({ input: { id, overlapHours } })
    return { secret: data?.rotateWebhookSecret.signingSecret, error }
  }
  return <RotateSecretDialog address={address} rotate={act} {...dialog} />
}
