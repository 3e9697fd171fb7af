import { Button, Menu, Text } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { type CurrentTeam, useViewer } from '../api/viewer.ts'
import { paths } from '../paths.ts'

/** The team that is shown; for somebody in several, the way to the others. */
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
      <Menu.Dropdown aria-label="Team" mah={360} style={{ overflowY: 'auto' }}>
        {memberships.map((each) => (
          <Menu.Item
            key={each.team.id}
            role="menuitemradio"
            aria-checked={each.team.id === team.id}
            rightSection={each.team.id === team.id ? <IconCheck size={14} aria-hidden /> : null}
            onClick={() => void navigate(paths.team(each.team.id))}
          >
            {each.team.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
