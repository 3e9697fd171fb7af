import { Button, Menu, Text } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { type CurrentTeam, useViewer } from '../api/viewer.ts'
import { paths } from '../paths.ts'
import { rememberTeam } from './lastTeam.ts'
import { screensFor } from './screensFor.ts'

/** The current team, with a menu of the person's other teams. */
export function TeamSwitcher({ team }: { team: CurrentTeam }) {
  const { id: userId, memberships } = useViewer()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  /** The present screen in another team, or its overview where the role there does not open it. */
  const sameScreen = (id: string) => {
    const role = memberships.find(({ team: other }) => other.id === id)?.role
    const present = pathname.split('/')[2]
    const screen = role && screensFor(role).find((each) => each === present)
    return screen ? paths.screen(id, screen) : paths.team(id)
  }
  const choose = (id: string) => {
    // The page remembers the team too, but the person may leave it before it has loaded.
    rememberTeam(userId, id)
    void navigate(sameScreen(id))
  }
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
        <Menu.RadioGroup value={team.id} onChange={choose}>
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
