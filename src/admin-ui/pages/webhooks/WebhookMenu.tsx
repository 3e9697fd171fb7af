import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconRotate, IconSend, IconTrash } from '@tabler/icons-react'
import { type RowAction, RowMenu } from '../../ui/table/RowMenu.tsx'
import type { Webhook } from './webhooksQuery.ts'

export type WebhookAction = 'edit' | 'pause' | 'resume' | 'rotate' | 'test' | 'recover' | 'delete'

/** The actions for a webhook. Contract: docs/contract.md#pages. */
export function WebhookMenu({ webhook, onAction }: { webhook: Webhook; onAction(action: WebhookAction): void }) {
  const { paused, address } = webhook
  const actions: RowAction[] = [
    { label: 'Edit', icon: IconPencil, onClick: () => onAction('edit') },
    paused
      ? { label: 'Resume', icon: IconPlayerPlay, onClick: () => onAction('resume') }
      : { label: 'Pause', icon: IconPlayerPause, onClick: () => onAction('pause') },
    { label: 'Rotate secret', icon: IconRotate, onClick: () => onAction('rotate') },
    // Nothing is sent during a pause.
    { label: 'Send test event', icon: IconSend, onClick: () => onAction('test'), disabled: paused },
    { label: 'Recover failed', icon: IconRefresh, onClick: () => onAction('recover'), disabled: paused },
    { label: 'Delete', icon: IconTrash, onClick: () => onAction('delete'), destructive: true },
  ]
  return <RowMenu name={address} actions={actions} />
}
