import { Button, Stack, Text } from '@mantine/core'
import {
  IconActivity,
  IconChartBar,
  IconClipboardList,
  IconHistory,
  IconHome,
  IconKey,
  IconLayoutGrid,
  IconPlayerPlay,
  IconRobot,
  IconSettings,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
import { lazy, useId } from 'react'
import { NavLink } from 'react-router'
import { type CurrentTeam, useViewer } from '../api/viewer.ts'
import { paths, type TeamScreenId, teamScreens } from '../paths.ts'
import { screens } from '../screens.ts'
import { LazyPart } from '../ui/feedback/LazyPart.tsx'
import { screensFor } from './screensFor.ts'
import classes from './TeamNavigation.module.css'

/** Has a menu, which is loaded after the first paint. */
const TeamSwitcher = lazy(async () => ({ default: (await import('./TeamSwitcher.tsx')).TeamSwitcher }))

const icons: Record<TeamScreenId, TablerIcon> = {
  overview: IconHome,
  keys: IconKey,
  webhooks: IconWebhook,
  deliveries: IconActivity,
  history: IconHistory,
  usage: IconChartBar,
  playground: IconPlayerPlay,
  catalog: IconLayoutGrid,
  team: IconUsers,
  audit: IconClipboardList,
  settings: IconSettings,
  agents: IconRobot,
}

/** The team and the screens that the person may see. */
export function TeamNavigation({ team }: { team: CurrentTeam }) {
  return (
    <Stack gap="sm">
      <TeamName team={team} />
      <nav aria-label="Team">
        <Stack gap="md">
          {groups.map((group) => (
            <NavigationGroup key={group} team={team} group={group} />
          ))}
        </Stack>
      </nav>
    </Stack>
  )
}

const groups = ['Build', 'Observe', 'Team'] as const

function NavigationGroup({ team, group }: { team: CurrentTeam; group: (typeof groups)[number] }) {
  const label = useId()
  const shown = screensFor(team.role).filter((id) => teamScreens[id].group === group)
  return (
    <div>
      <Text id={label} size="xs" fw={500} c="dimmed" px={10} mb={4}>
        {group}
      </Text>
      <Stack gap={2} component="ul" className={classes.list} aria-labelledby={label}>
        {shown.map((id) => {
          const Icon = icons[id]
          return (
            <li key={id}>
              <NavLink
                to={paths.screen(team.id, id)}
                onMouseEnter={screens[id].preload}
                onFocus={screens[id].preload}
                className={`${classes.link} mantine-focus-auto`}
              >
                <Icon size={17} stroke={1.6} aria-hidden />
                {teamScreens[id].name}
              </NavLink>
            </li>
          )
        })}
      </Stack>
    </div>
  )
}

/** The current team, with a menu for people who are in several. */
function TeamName({ team }: { team: CurrentTeam }) {
  const { memberships } = useViewer()
  if (memberships.length < 2)
    return (
      <Text fw={600} px={10} py={8} truncate title={team.name}>
        {team.name}
      </Text>
    )
  const pending = (
    <Button variant="default" fullWidth justify="flex-start" px={10} disabled>
      {team.name}
    </Button>
  )
  return (
    <LazyPart fallback={pending}>
      <TeamSwitcher team={team} />
    </LazyPart>
  )
}
