import { Alert, Button, Group, Text } from '@mantine/core'
import { createContext, type ReactNode, type Ref, useEffect, useEffectEvent, useImperativeHandle, useState } from 'react'
import { useBlocker } from 'react-router'
import { useWarningBeforeUnload } from '../hooks/useWarningBeforeUnload.ts'
import { usePausedPageGuard } from './PageGuard.tsx'

/** `leave` closes the dialog. After a change it asks first; while the question is shown, it withdraws the question. */
export type FormGuardHandle = { leave(): void }

type FormGuardProps = {
  ref: Ref<FormGuardHandle>
  opened: boolean
  onClose(): void
  /** False when nothing is lost with the form. Then the dialog closes without a question. */
  asks?: boolean | undefined
  children: ReactNode
}

/** Marks the form as changed, for a control that emits no change event, such as a preset. */
export const MarkChangedContext = createContext<() => void>(() => undefined)

/**
 * The form of a dialog. Back closes the dialog, not the page behind it. After a change of a field, Back, Escape, a click outside and links to
 * other pages ask first, and the browser asks before a reload. Escape withdraws the question and keeps the dialog open.
 * Decision: docs/decisions/0042-back-in-the-admin-ui.md
 */
export function FormGuard({ ref, opened, onClose, asks = true, children }: FormGuardProps) {
  const [hasInput, setInput] = useState(false)
  const [isClosing, setClosing] = useState(false)
  const isChanged = hasInput && asks
  usePausedPageGuard()
  const blocker = useBlocker(({ currentLocation: { pathname }, nextLocation, historyAction }) => {
    return opened && (historyAction === 'POP' || (isChanged && nextLocation.pathname !== pathname))
  })
  useWarningBeforeUnload(opened && isChanged)
  const isBlocked = blocker.state === 'blocked'
  const stay = () => {
    blocker.reset?.()
    setClosing(false)
  }
  const close = () => {
    stay()
    onClose()
  }
  const isAsked = (isClosing || isBlocked) && isChanged
  const leave = () => {
    if (isAsked) stay()
    else if (isChanged) setClosing(true)
    else onClose()
  }
  useImperativeHandle(ref, () => ({ leave }))
  const closeOnBack = useEffectEvent(() => {
    blocker.reset?.()
    onClose()
  })
  useEffect(() => {
    if (isBlocked && !isChanged) closeOnBack()
  }, [isBlocked, isChanged])
  return (
    <MarkChangedContext value={() => setInput(true)}>
      {/* The change events of all fields bubble here. */}
      <div onChange={() => setInput(true)}>
        {children}
        {isAsked && (
          <Alert color="orange" role="alert" title="This form is not finished" mt="md">
            <Text size="sm">What you entered is lost when you leave it.</Text>
            <Group gap="xs" mt="sm">
              <Button size="xs" variant="default" ref={focusWhileShown} onClick={stay}>
                Stay here
              </Button>
              <Button size="xs" variant="default" onClick={close}>
                Discard
              </Button>
            </Group>
          </Alert>
        )}
      </div>
    </MarkChangedContext>
  )
}

/** For the safe button of a question: shows and focuses it, and returns the focus when the question is gone. */
export function focusWhileShown(button: HTMLButtonElement): () => void {
  const before = document.activeElement
  button.focus()
  return () => before instanceof HTMLElement && before.focus()
}
