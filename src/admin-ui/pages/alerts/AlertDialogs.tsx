import { Text } from '@mantine/core'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/form/ConfirmDialog.tsx'
import { RecoverDialog } from '../webhooks/RecoverDialog.tsx'
import { RotateSecretDialog } from '../webhooks/RotateSecretDialog.tsx'
import type { AlertDialog } from './AlertMenu.tsx'
import { type AlertSubscription, DeleteAlert, RotateAlertSecret } from './alertQueries.ts'
import { EditAlertDialog } from './EditAlertDialog.tsx'

export type OpenAlertDialog = { dialog: AlertDialog; alert: AlertSubscription; opened: boolean }

/** The dialog that was opened from the menu of a subscription to alerts. */
export function AlertDialogs({ asked, onClose, onClosed }: { asked: OpenAlertDialog | undefined; onClose(): void; onClosed(): void }) {
  if (!asked) return null
  const { dialog, alert, opened } = asked
  const shared = { alert, opened, onClose }
  switch (dialog) {
    case 'edit':
      return <EditAlertDialog {...shared} onClosed={onClosed} />
    case 'rotate':
      return <RotateAlertDialog {...shared} onClosed={onClosed} />
    case 'recover':
      return (
        <RecoverDialog
          address={alert.address}
          failedOf={{ subscriptionId: alert.id }}
          filter={alert.id}
          {...{ opened, onClose, onClosed }}
        />
      )
    case 'delete':
      return <DeleteAlertDialog {...shared} />
  }
}

type AlertDialogProps = { alert: AlertSubscription; opened: boolean; onClose(): void }

function RotateAlertDialog({ alert: { id, address }, ...dialog }: AlertDialogProps & { onClosed(): void }) {
  const [, rotate] = useMutation(RotateAlertSecret)
  const act = async (overlapHours: number) => {
    const { data, error } = await rotate({ input: { id, overlapHours } })
    return { secret: data?.rotateAlertSecret.signingSecret, error }
  }
  return <RotateSecretDialog address={address} rotate={act} {...dialog} />
}

function DeleteAlertDialog({ alert, opened, onClose }: AlertDialogProps) {
  const [, remove] = useMutation(DeleteAlert)
  const act = async () => {
    const { error } = await remove({ input: { id: alert.id } }, { additionalTypenames: ['AlertSubscription'] })
    if (error) return failureOf(error)
    showSaved('The alert was deleted.')
    return undefined
  }
  return (
    <ConfirmDialog opened={opened} title="Delete this alert?" confirm="Delete alert" onConfirm={act} onClose={onClose}>
      <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        <WordBreaks text={alert.address} />
      </Text>
      <Text size="sm">No more alerts are sent to it, and its signing secret is deleted permanently. Its log stays for 30 days.</Text>
    </ConfirmDialog>
  )
}
