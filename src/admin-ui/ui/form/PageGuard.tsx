import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { useWarningBeforeUnload } from '../hooks/useWarningBeforeUnload.ts'

type PageGuardProps = {
  /** The headings of the forms with unsaved changes. */
  changed: readonly string[]
  /** The page, with its dialogs. */
  children: ReactNode
}

const DialogOfPage = createContext<() => () => void>(() => () => undefined)

/**
 * Asks before a page is left that has forms with unsaved changes. The router has one blocker at a time, so an open dialog with a form
 * replaces this one. Decision: docs/decisions/0042-back-in-the-admin-ui.md
 */
export function PageGuard({ changed, children }: PageGuardProps) {
  const [dialogs, setDialogs] = useState(0)
  const open = useCallback(() => {
    setDialogs((count) => count + 1)
    return () => setDialogs((count) => count - 1)
  }, [])
  return (
    <DialogOfPage value={open}>
      {children}
      {changed.length > 0 && dialogs === 0 && <LeaveQuestion changed={changed} />}
    </DialogOfPage>
  )
}

/** Pauses the guard of the page while the calling component is mounted, because it blocks the navigation itself. */
export function usePausedPageGuard(): void {
  const open = use(DialogOfPage)
  useEffect(() => open(), [open])
}

function LeaveQuestion({ changed }: { changed: readonly string[] }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => nextLocation.pathname !== currentLocation.pathname)
  useWarningBeforeUnload(true)
  const stay = () => blocker.reset?.()
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={stay} title="Leave without saving?">
      <Stack gap="md">
        <Text size="sm">Unsaved changes: {changed.join(', ')}. They are lost when you leave this page.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay here
          </Button>
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
