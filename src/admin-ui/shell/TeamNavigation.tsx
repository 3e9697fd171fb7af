import { Button, NavLink as Item, Menu, Stack, Text } from '@mantine/core'
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
  IconSelector,
  IconSettings,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
import { useId } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import { type CurrentTeam, useViewer } from '../api/viewer.ts'
import { paths, type TeamScreenId, teamScreens } from '../paths.ts'
import { screensFor } from './screensFor.ts'
import classes from './TeamNavigation.module.css'

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
      <TeamSwitcher team={team} />
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
              <Item
                component={NavLink}
                to={paths.screen(team.id, id)}
                label={teamScreens[id].name}
                leftSection={<Icon size={17} stroke={1.6} aria-hidden />}
                className={classes.link}
              />
            </li>
          )
        })}
      </Stack>
    </div>
  )
}

/** The current team, with a menu of the person's other teams. */
function TeamSwitcher({ team }: { team: CurrentTeam }) {
  const { memberships } = useViewer()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  /** The present screen in another team, or its overview where the role there does not open it. */
  const sameScreen = (id: string) => {
    const role = memberships.find(({ team: other }) => other.id === id)?.role
    const present = pathname.split('/')[2]
    const screen = role && screensFor(role).find((each) => each === present)
    return screen ? paths.screen(id, screen) : paths.team(id)
  }
  if (memberships.length < 2)
    return (
      <Text fw={600} px={10} py={8} truncate title={team.name}>
        {team.name}
      </Text>
    )
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          px={10}
          aria-label={`Team ${team.name}`}
          rightSection={<IconSelector size={16} aria-hidden />}
        >
          <Text span truncate fw={600}>
            {team.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.RadioGroup value={team.id} onChange={(id) => void navigate(sameScreen(id))}>
          {memberships.map((each) => (
            <Menu.RadioItem key={each.team.id} value={each.team.id} closeMenuOnClick style={{ overflowWrap: 'anywhere' }}>
              {each.team.name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
