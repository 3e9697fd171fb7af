import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { ErrorNotice } from '../feedback/ErrorNotice.tsx'
import { FormDialog } from './FormDialog.tsx'

export type ConfirmDialogProps = {
  opened: boolean
  /** The question: `Revoke render-bot?`. */
  title: string
  /** The consequences, with numbers if possible. */
  children: ReactNode
  /** The label of the confirming button: `Revoke key`. */
  confirm: string
  /** The label of the dismissing button. Default: `Cancel`; another one where that is ambiguous. */
  dismiss?: string
  /** Runs the action. Returns the failure, if any. */
  onConfirm(): Promise<Failure | undefined>
  onClose(): void
  /** True while the consequences load. */
  loading?: boolean
}

/** Confirms a destructive action. */
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
    <FormDialog opened={opened} onClose={onClose} title={title} onExitTransitionEnd={() => setFailure(undefined)}>
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
    </FormDialog>
  )
}
