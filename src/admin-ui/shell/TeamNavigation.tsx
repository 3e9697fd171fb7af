import { NavLink as Item, Stack } from '@mantine/core'
import {
  IconActivity,
  IconChartBar,
  IconClipboardList,
  IconHistory,
  IconKey,
  IconLayoutGrid,
  IconRobot,
  IconSettings,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'
import type { CurrentTeam } from '../api/viewer.ts'
import { paths, type TeamScreenId, teamScreens } from '../paths.ts'
import { screensFor } from './screensFor.ts'
import classes from './TeamNavigation.module.css'
import { TeamSwitcher } from './TeamSwitcher.tsx'

const icons: Record<TeamScreenId, TablerIcon> = {
  keys: IconKey,
  webhooks: IconWebhook,
  deliveries: IconActivity,
  history: IconHistory,
  usage: IconChartBar,
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
        <Stack gap={2} component="ul" className={classes.list}>
          {screensFor(team.role).map((id) => {
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
      </nav>
    </Stack>
  )
}
