import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconRotate, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { RowMenu } from '../../ui/table/RowMenu.tsx'
import { type AlertSubscription, SendTestAlert, UpdateAlert } from './alertQueries.ts'

export type AlertDialog = 'edit' | 'rotate' | 'recover' | 'delete'

/** The actions for a subscription to alerts. Contract: docs/contract.md#pages. */
export function AlertMenu({ alert, onAsk }: { alert: AlertSubscription; onAsk(dialog: AlertDialog): void }) {
  const { id, address, paused } = alert
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const [, update] = useMutation(UpdateAlert)
  const [, sendTest] = useMutation(SendTestAlert)
  const setPaused = async (pause: boolean) => {
    const { error } = await update({ input: { id, paused: pause } })
    if (error) showFailed(pause ? 'The alert was not paused' : 'The alert was not resumed', failureOf(error))
    else showSaved(pause ? 'Paused. Alerts are neither recorded nor sent until you resume.' : 'Resumed.')
  }
  /** Opens the delivery, where the user sees the progress. */
  const test = async () => {
    const { data, error } = await sendTest({ input: { subscriptionId: id } })
    if (error) return showFailed('The test event could not be sent', failureOf(error))
    if (data) await navigate(paths.screen(team, 'deliveries', { webhook: id, delivery: data.sendTestAlert.id }))
  }
  return (
    <RowMenu
      name={address}
      actions={[
        { label: 'Edit', icon: IconPencil, onClick: () => onAsk('edit') },
        paused
          ? { label: 'Resume', icon: IconPlayerPlay, onClick: () => void setPaused(false) }
          : { label: 'Pause', icon: IconPlayerPause, onClick: () => void setPaused(true) },
        { label: 'Rotate secret', icon: IconRotate, onClick: () => onAsk('rotate') },
        // Nothing is sent during a pause.
        { label: 'Send test event', icon: IconSend, onClick: () => void test(), disabled: paused },
        { label: 'Recover failed', icon: IconRefresh, onClick: () => onAsk('recover'), disabled: paused },
        { label: 'Delete', icon: IconTrash, onClick: () => onAsk('delete'), destructive: true },
      ]}
    />
  )
}
