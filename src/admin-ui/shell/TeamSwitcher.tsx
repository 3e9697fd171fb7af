import { Button, Menu, Text } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { type CurrentTeam, useViewer } from '../api/viewer.ts'
import { paths } from '../paths.ts'

/** The current team, with a menu of the person's other teams. */
export function TeamSwitcher({ team }: { team: CurrentTeam }) {
  const { memberships } = useViewer()
  const navigate = useNavigate()
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
        <Menu.RadioGroup value={team.id} onChange={(id) => void navigate(paths.team(id))}>
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
