import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { ErrorNotice } from '../feedback/ErrorNotice.tsx'

export type ConfirmDialogProps = {
  opened: boolean
  /** What is about to be done: `Revoke render-bot?`. */
  title: string
  /** What it means, in numbers where there are any. */
  children: ReactNode
  /** The button that does it: `Revoke key`. */
  confirm: string
  /** The button that leaves all as it is: `Cancel`, unless that would be taken for what is asked about. */
  dismiss?: string
  /** Does it; gives what went wrong, if anything did. */
  onConfirm(): Promise<Failure | undefined>
  onClose(): void
  /** While what it says is still being asked for. */
  loading?: boolean
}

/** Asks before something is taken away for good. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  dismiss = 'Cancel',
  onConfirm,
  onClose,
  loading = false,
}: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const act = async () => {
    setBusy(true)
    const failed = await onConfirm()
    setBusy(false)
    setFailure(failed)
    if (!failed) onClose()
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title} onExitTransitionEnd={() => setFailure(undefined)}>
      <Stack gap="md">
        {children}
        {failure && <ErrorNotice failure={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          <Button color="red.9" loading={busy} disabled={loading} onClick={() => void act()}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
