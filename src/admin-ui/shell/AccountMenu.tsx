import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconKeyboard, IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react'
import { lazy, useRef, useState } from 'react'
import { Link } from 'react-router'
import { signOut } from '../api/session.ts'
import { useOptionalTeam, useViewer } from '../api/viewer.ts'
import { base, paths, personalTeam } from '../paths.ts'
import { LazyPart } from '../ui/feedback/LazyPart.tsx'
import { showFailed } from '../ui/feedback/notify.ts'

const KeyboardShortcuts = lazy(async () => ({ default: (await import('./KeyboardShortcuts.tsx')).KeyboardShortcuts }))

/** The signed-in person, and the sign-out. */
export function AccountMenu({ withLabel = false }: { withLabel?: boolean }) {
  const { email } = useViewer()
  const team = useOptionalTeam()
  const [help, setHelp] = useState<'unused' | 'opened' | 'closed'>('unused')
  const target = useRef<HTMLButtonElement>(null)
  // When the dialog closes, it returns the focus to where it was. The menu item no longer exists then, so its button gets the focus first.
  const openHelp = () => {
    target.current?.focus({ preventScroll: true })
    setHelp('opened')
  }
  return (
    <>
      <Menu width={240} position={withLabel ? 'top-start' : 'bottom-end'}>
        <Menu.Target>
          {withLabel ? (
            <Button
              ref={target}
              variant="subtle"
              color="gray"
              fullWidth
              justify="flex-start"
              px={10}
              c="var(--mantine-color-text)"
              leftSection={<IconUserCircle size={18} stroke={1.6} aria-hidden />}
            >
              Account
            </Button>
          ) : (
            <ActionIcon ref={target} variant="subtle" color="gray" size={36} aria-label="Account">
              <IconUserCircle size={18} aria-hidden />
            </ActionIcon>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label style={{ overflowWrap: 'anywhere' }}>{email}</Menu.Label>
          <Menu.Item component={Link} to={paths.account(team?.id ?? personalTeam)} leftSection={<IconSettings size={16} aria-hidden />}>
            Your account
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openHelp}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LazyPart>{help !== 'unused' && <KeyboardShortcuts opened={help === 'opened'} onClose={() => setHelp('closed')} />}</LazyPart>
    </>
  )
}

/** A full page load, so that no data of this person stays in memory. */
async function leave(): Promise<void> {
  const failure = await signOut()
  if (failure) showFailed('You are still signed in', failure)
  else location.assign(`${base}${paths.signIn()}`)
}
