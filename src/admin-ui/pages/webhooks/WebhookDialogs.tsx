import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx'
import { EditWebhookDialog } from './EditWebhookDialog.tsx'
import { RecoverDialog } from './RecoverDialog.tsx'
import { RotateSecretDialog } from './RotateSecretDialog.tsx'
import type { OpenDialog } from './useWebhookActions.ts'

/** The dialog that was opened from the menu of a webhook. It is outside the list, so that a refetch does not close it. */
export function WebhookDialogs({ asked, onClose, onClosed }: { asked: OpenDialog | undefined; onClose(): void; onClosed(): void }) {
  if (!asked) return null
  const { dialog, webhook, opened } = asked
  const shared = { webhook, opened, onClose }
  switch (dialog) {
    case 'edit':
      return <EditWebhookDialog {...shared} onClosed={onClosed} />
    case 'rotate':
      return <RotateSecretDialog {...shared} onClosed={onClosed} />
    case 'recover':
      return <RecoverDialog {...shared} onClosed={onClosed} />
    case 'delete':
      return <DeleteWebhookDialog {...shared} onDeleted={onClosed} />
  }
}
