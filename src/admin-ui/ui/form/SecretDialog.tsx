import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyField } from './CopyField.tsx'

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
 * A dialog that ends with a secret that is shown once. Then a click outside does not close it, and closing it without copying needs a
 * confirmation, except with the Done button.
 */
export function SecretDialog({ title, opened, secret, usage, onClose, onClosed, size = 'lg', children }: SecretDialogProps) {
  const [copied, setCopied] = useState(false)
  const [warned, setWarned] = useState(false)
  const leave = () => {
    if (secret && !copied && !warned) setWarned(true)
    else onClose()
  }
  const reset = () => {
    setCopied(false)
    setWarned(false)
    onClosed()
  }
  return (
    <Modal opened={opened} onClose={leave} onExitTransitionEnd={reset} title={title} size={size} closeOnClickOutside={secret === undefined}>
      {secret === undefined ? (
        children
      ) : (
        <Stack gap="md">
          <Text c="dimmed">{secret.advice ?? 'Copy it to a safe place now. It is not shown again.'}</Text>
          <CopyField label={secret.label} copyName={secret.copyName} value={secret.value} focusCopy onCopied={() => setCopied(true)} />
          {usage}
          {warned && !copied && (
            <Alert color="orange" role="alert" title="You have not copied it">
              <Text size="sm">It cannot be shown again after you close this dialog. You would need a new one.</Text>
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            {warned && !copied ? (
              <Button variant="default" onClick={onClose}>
                Close without copying
              </Button>
            ) : (
              <Button onClick={onClose}>Done</Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
