import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Button,
  Drawer,
  Group,
  isMantineColorScheme,
  type MantineColorScheme,
  Menu,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconDeviceDesktop, IconLogout, IconMoon, IconSettings, IconSun, IconUserCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { signOut } from '../api/session.ts'
import { useOptionalTeam, useViewer } from '../api/viewer.ts'
import { base, paths, personalTeam } from '../paths.ts'
import { showFailed } from '../ui/feedback/notify.ts'
import { Brand } from '../ui/layout/Brand.tsx'

/** The layout of all pages: a sidebar on wide screens, and a top bar with a menu button on small screens. */
export function Shell({ title, navigation, children }: { title?: string; navigation?: ReactNode; children: ReactNode }) {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  return (
    <AppShell
      header={{ height: 56, collapsed: isWide, offset: !isWide }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: true } }}
      padding={0}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      {isWide ? <Sidebar navigation={navigation} /> : <TopBar title={title} navigation={navigation} />}
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Box px={{ base: 'md', sm: 'xl' }} py={{ base: 'lg', sm: 'xl' }} maw={1440} mx="auto">
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  )
}

function Sidebar({ navigation }: { navigation: ReactNode }) {
  return (
    <AppShell.Navbar p="sm" bg="var(--atelier-surface)" component="div">
      <AppShell.Section px={10} pt={6} pb="sm">
        <Brand />
      </AppShell.Section>
      <AppShell.Section grow style={{ overflowY: 'auto' }}>
        {navigation}
      </AppShell.Section>
      <AppShell.Section>
        <Group gap="xs" wrap="nowrap">
          <Box flex={1} miw={0}>
            <AccountMenu withLabel />
          </Box>
          <ThemeMenu />
        </Group>
      </AppShell.Section>
    </AppShell.Navbar>
  )
}

function TopBar({ title, navigation }: { title: string | undefined; navigation: ReactNode }) {
  const [opened, { open, close }] = useDisclosure(false)
  const { key } = useLocation()
  useEffect(() => close(), [key, close])
  return (
    <>
      <AppShell.Header px="sm" bg="var(--atelier-surface)">
        <Group h="100%" gap="xs" wrap="nowrap">
          {navigation !== undefined && (
            <Burger opened={opened} onClick={open} size="sm" aria-label="Open navigation" aria-expanded={opened} />
          )}
          <Text fw={600} truncate flex={1}>
            {title ?? 'Atelier'}
          </Text>
          <ThemeMenu />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <Drawer opened={opened} onClose={close} size={280} title="Navigation" padding="sm">
        {navigation}
      </Drawer>
    </>
  )
}

const schemes: Record<MantineColorScheme, { name: string; Icon: typeof IconSun }> = {
  auto: { name: 'System', Icon: IconDeviceDesktop },
  light: { name: 'Light', Icon: IconSun },
  dark: { name: 'Dark', Icon: IconMoon },
}

/** Light or dark; default: the system's scheme. */
function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon: Current } = schemes[colorScheme]
  return (
    <Menu width={170}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Theme">
          <Current size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(chosen) => isMantineColorScheme(chosen) && setColorScheme(chosen)}>
          {Object.entries(schemes).map(([scheme, { name, Icon }]) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} stroke={1.6} aria-hidden />} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The signed-in person, and the sign-out. */
function AccountMenu({ withLabel = false }: { withLabel?: boolean }) {
  const { email } = useViewer()
  const team = useOptionalTeam()
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
        <Menu.Item component={Link} to={paths.account(team?.id ?? personalTeam)} leftSection={<IconSettings size={16} aria-hidden />}>
          Your account
        </Menu.Item>
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
