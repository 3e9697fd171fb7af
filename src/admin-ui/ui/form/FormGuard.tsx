import { Alert, Button, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useBlocker } from 'react-router'
import { useWarningBeforeUnload } from '../hooks/useWarningBeforeUnload.ts'

type FormGuardProps = {
  opened: boolean
  onClose(): void
  /** False when nothing is lost with the form. Then Back closes the dialog without a question. */
  asks?: boolean | undefined
  children: ReactNode
}

/**
 * The form of a dialog. Back closes the dialog, not the page behind it. After a change of a field, Back and links to other pages ask first,
 * and the browser asks before a reload. Decision: docs/decisions/0042-back-in-the-admin-ui.md
 */
export function FormGuard({ opened, onClose, asks = true, children }: FormGuardProps) {
  const [hasInput, setInput] = useState(false)
  const isChanged = hasInput && asks
  const blocker = useBlocker(({ currentLocation: { pathname }, nextLocation, historyAction }) => {
    return opened && (historyAction === 'POP' || (isChanged && nextLocation.pathname !== pathname))
  })
  useWarningBeforeUnload(opened && isChanged)
  const isLeaving = blocker.state === 'blocked'
  const close = useEffectEvent(() => {
    blocker.reset?.()
    onClose()
  })
  useEffect(() => {
    if (isLeaving && !isChanged) close()
  }, [isLeaving, isChanged])
  return (
    // The change events of all fields bubble here.
    <div onChange={() => setInput(true)}>
      {children}
      {isLeaving && isChanged && (
        <Alert color="orange" role="alert" title="This form is not finished" mt="md">
          <Text size="sm">What you entered is lost when you leave it.</Text>
          <Group gap="xs" mt="sm">
            <Button size="xs" variant="default" ref={focus} onClick={() => blocker.reset?.()}>
              Stay here
            </Button>
            <Button size="xs" variant="default" onClick={close}>
              Discard
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  )
}

/** Scrolls the question into view, which is at the end of a long form. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus()
}
