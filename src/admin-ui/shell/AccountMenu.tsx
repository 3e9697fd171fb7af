import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { signOut } from '../api/session.ts'
import { useViewer } from '../api/viewer.ts'
import { base, paths } from '../paths.ts'
import { showFailed } from '../ui/feedback/notify.ts'

/** The signed-in person, and the sign-out. */
export function AccountMenu({ withLabel = false }: { withLabel?: boolean }) {
  const { email } = useViewer()
  return (
    <Menu width={240} position={withLabel ? 'top-start' : 'bottom-end'}>
      <Menu.Target>
        {withLabel ? (
          <Button
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
          <ActionIcon variant="subtle" color="gray" size={36} aria-label="Account">
            <IconUserCircle size={18} aria-hidden />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{email}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** A full page load, so that no data of this person stays in memory. */
async function leave(): Promise<void> {
  const failure = await signOut()
  if (failure) showFailed('You are still signed in', failure)
  else location.assign(`${base}${paths.signIn()}`)
}
