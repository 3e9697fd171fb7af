import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { useWarningBeforeUnload } from '../hooks/useWarningBeforeUnload.ts'
import { CopyField } from './CopyField.tsx'
import { FormGuard, type FormGuardHandle, focusWhileShown } from './FormGuard.tsx'

export type OneTimeSecret = {
  /** The label of the field: `Key`, `Signing secret`. */
  label: string
  /** The accessible name of its button: `Copy key`, `Copy secret`. */
  copyName: string
  value: string
  /** What to do with it. */
  advice?: string
}

export type SecretDialogProps = {
  title: string
  opened: boolean
  /** When set, it replaces the form. */
  secret: OneTimeSecret | undefined
  /** How to use it: a code block. */
  usage?: ReactNode
  onClose(): void
  /** Called after the dialog closed. Reset the secret and the form here, and refetch the list. */
  onClosed(): void
  size?: string | number
  /** The form. */
  children: ReactNode
}

/**
 * A dialog that ends with a secret that is shown once. Then a click outside does not close it. Before the secret was copied, Escape asks,
 * and a second Escape withdraws the question: only `Done` and `Close without copying` close the dialog. Until then other pages of the UI
 * wait for it, and the browser asks before it leaves or reloads. Before the secret is shown, the dialog closes after a question when the
 * form was changed.
 */
export function SecretDialog({ title, opened, secret, usage, onClose, onClosed, size = 'lg', children }: SecretDialogProps) {
  const guard = useRef<FormGuardHandle>(null)
  return (
    <Modal
      opened={opened}
      onClose={() => guard.current?.leave()}
      onExitTransitionEnd={onClosed}
      title={title}
      size={size}
      closeOnClickOutside={secret === undefined}
    >
      {secret === undefined ? (
        <FormGuard ref={guard} opened={opened} onClose={onClose}>
          {children}
        </FormGuard>
      ) : (
        <ShownSecret ref={guard} {...{ opened, secret, usage, onClose }} />
      )}
    </Modal>
  )
}

type ShownSecretProps = Pick<SecretDialogProps, 'opened' | 'usage' | 'onClose'> & { ref: Ref<FormGuardHandle>; secret: OneTimeSecret }

/** Apart from the dialog, because a page has several dialogs, and only one of them may block the navigation. */
function ShownSecret({ ref, opened, secret, usage, onClose }: ShownSecretProps) {
  const [copied, setCopied] = useState(false)
  const [isClosing, setClosing] = useState(false)
  const blocker = useBlocker(opened)
  useWarningBeforeUnload(opened)
  const isLeaving = blocker.state === 'blocked'
  const isAsked = isLeaving || isClosing
  const isUnsafe = isAsked && !copied
  const stay = () => {
    setClosing(false)
    blocker.reset?.()
  }
  const close = () => {
    onClose()
    blocker.proceed?.()
  }
  const leave = () => {
    if (isAsked) stay()
    else if (copied) onClose()
    else setClosing(true)
  }
  useImperativeHandle(ref, () => ({ leave }))
  return (
    <Stack gap="md">
      <Text c="dimmed">{secret.advice ?? 'Copy it to a safe place now. It is not shown again.'}</Text>
      <CopyField label={secret.label} copyName={secret.copyName} value={secret.value} focusCopy onCopied={() => setCopied(true)} />
      {usage}
      {isLeaving && copied && (
        <Alert color="orange" role="alert" title="It is not shown again">
          <Text size="sm">You were about to leave this page. Done closes the dialog and leaves.</Text>
        </Alert>
      )}
      {isUnsafe && (
        <Alert color="orange" role="alert" title="You have not copied it">
          <Text size="sm">It cannot be shown again after you close this dialog. You would need a new one.</Text>
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        {(isLeaving || isUnsafe) && (
          <Button variant="default" ref={focusWhileShown} onClick={stay}>
            Stay here
          </Button>
        )}
        {isUnsafe ? (
          <Button variant="default" onClick={close}>
            Close without copying
          </Button>
        ) : (
          <Button onClick={close}>Done</Button>
        )}
      </Group>
    </Stack>
  )
}
