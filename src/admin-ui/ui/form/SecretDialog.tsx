import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyField } from './CopyField.tsx'

export type OneTimeSecret = {
  /** The field: `Key`, `Signing secret`. */
  label: string
  /** Its button: `Copy key`, `Copy secret`. */
  copyName: string
  value: string
}

export type SecretDialogProps = {
  title: string
  opened: boolean
  /** Once it is there, it takes the place of the form. */
  secret: OneTimeSecret | undefined
  /** What to do with it: a code block. */
  usage?: ReactNode
  onClose(): void
  /** Out of sight: forget the secret and empty the form here, and refetch the list, so that nothing is wiped while it is read. */
  onClosed(): void
  size?: string | number
  /** The form that makes it. */
  children: ReactNode
}

/**
 * A dialog whose end is a secret that is shown once. A click beside it does not close it then, and whoever turns away from it without having
 * copied it is asked first; whoever says that they are done is believed.
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
          <Text c="dimmed">Keep it in a safe place now: it is shown this once and never again.</Text>
          <CopyField {...secret} onCopied={() => setCopied(true)} />
          {usage}
          {warned && !copied && (
            <Alert color="orange" role="alert" title="You have not copied it">
              <Text size="sm">Once this is closed nobody can show it again; you would have to make a new one.</Text>
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
