import { ActionIcon, AppShell, Box, Burger, Button, Group, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { lazy, type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { useOptionalTeam } from '../api/viewer.ts'
import { LazyPart } from '../ui/feedback/LazyPart.tsx'
import { Brand } from '../ui/layout/Brand.tsx'
import { AccountMenu, AlertBell, ThemeMenu } from './lazyMenus.ts'
import { PaletteButton } from './palette/PaletteButton.tsx'

/** Loaded when it is opened. */
const NavigationDrawer = lazy(async () => ({ default: (await import('./NavigationDrawer.tsx')).NavigationDrawer }))

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
  const team = useOptionalTeam()
  return (
    <AppShell.Navbar p="sm" bg="var(--atelier-surface)" component="div">
      <AppShell.Section pl={10} pt={6} pb="sm">
        <Group justify="space-between" wrap="nowrap" mih={36}>
          <Brand />
          <Bell />
        </Group>
      </AppShell.Section>
      {team && (
        <AppShell.Section pb="sm">
          <PaletteButton />
        </AppShell.Section>
      )}
      <AppShell.Section grow style={{ overflowY: 'auto' }}>
        {navigation}
      </AppShell.Section>
      <AppShell.Section>
        <Group gap="xs" wrap="nowrap">
          <Box flex={1} miw={0}>
            <LazyPart fallback={<PendingMenu name="Account" withLabel />}>
              <AccountMenu withLabel />
            </LazyPart>
          </Box>
          <LazyPart fallback={<PendingMenu name="Theme" />}>
            <ThemeMenu />
          </LazyPart>
        </Group>
      </AppShell.Section>
    </AppShell.Navbar>
  )
}

function TopBar({ title, navigation }: { title: string | undefined; navigation: ReactNode }) {
  const [opened, { open, close }] = useDisclosure(false)
  const [used, { open: use }] = useDisclosure(false)
  const openDrawer = () => {
    use()
    open()
  }
  const { key } = useLocation()
  const team = useOptionalTeam()
  useEffect(() => close(), [key, close])
  return (
    <>
      <AppShell.Header px="sm" bg="var(--atelier-surface)">
        <Group h="100%" gap="xs" wrap="nowrap">
          {navigation !== undefined && (
            <Burger opened={opened} onClick={openDrawer} size="sm" aria-label="Open navigation" aria-expanded={opened} />
          )}
          <Text fw={600} truncate flex={1}>
            {title ?? 'Atelier'}
          </Text>
          {team && <PaletteButton compact />}
          <Bell />
          <LazyPart fallback={<PendingMenu name="Theme" />}>
            <ThemeMenu />
          </LazyPart>
          <LazyPart fallback={<PendingMenu name="Account" />}>
            <AccountMenu />
          </LazyPart>
        </Group>
      </AppShell.Header>
      <LazyPart>
        {used && (
          <NavigationDrawer opened={opened} onClose={close}>
            {navigation}
          </NavigationDrawer>
        )}
      </LazyPart>
    </>
  )
}

/** The alerts, for owners and administrators. The bell may appear later than the page. */
function Bell() {
  const team = useOptionalTeam()
  return <LazyPart fallback={<Box w={36} h={36} />}>{team?.mayManage && <AlertBell key={team.id} />}</LazyPart>
}

/** The place of a menu whose code still loads. */
function PendingMenu({ name, withLabel = false }: { name: string; withLabel?: boolean }) {
  const pending = { variant: 'subtle', color: 'gray', disabled: true, bg: 'transparent' } as const
  return withLabel ? (
    <Button {...pending} fullWidth justify="flex-start" px={10}>
      {name}
    </Button>
  ) : (
    <ActionIcon {...pending} size={36} aria-label={name} />
  )
}
