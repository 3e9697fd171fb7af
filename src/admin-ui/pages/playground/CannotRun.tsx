import { Alert, Anchor, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTeam } from '../../api/viewer.ts'
import { roleMay } from '../../shell/screensFor.ts'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'
import type { Member, PersonRuns } from './playgroundQueries.ts'

const shownManagers = 3

/** Why the person may not run models in this team, and whom to ask. */
export function CannotRun({ blocker, members }: { blocker: NonNullable<PersonRuns['blocker']>; members: readonly Member[] }) {
  const { name } = useTeam()
  return (
    <Alert color="gray" variant="light" icon={<IconLock size={18} aria-hidden />} title="You cannot run models here">
      {blocker === 'TEAM_BLOCKED' && (
        <Text size="sm">
          {name} is blocked. {askOperatorTo('unblock it')}
        </Text>
      )}
      {blocker === 'ACCESS_CLOSED' && (
        <Text size="sm">
          The access of {name} is closed. {askOperatorTo('open it')}
        </Text>
      )}
      {blocker === 'PLAN_ENDED' && (
        <Text size="sm">
          The plan of {name} has ended. {askOperatorTo('renew it')}
        </Text>
      )}
      {(blocker === 'MEMBERS_NOT_ALLOWED' || blocker === 'NOT_A_MEMBER') && (
        <Text size="sm">
          In {name} only owners and administrators run models. They can allow it to members in Settings. Ask <Managers members={members} />.
          You can see prices and earlier results.
        </Text>
      )}
    </Alert>
  )
}

function Managers({ members }: { members: readonly Member[] }) {
  const managers = members.filter(({ role }) => roleMay(role, 'team.setRuns')).slice(0, shownManagers)
  if (managers.length === 0) return 'an owner'
  return managers.map(({ user: { id, name, email } }, index) => (
    <span key={id}>
      {index > 0 && (index === managers.length - 1 ? ' or ' : ', ')}
      {name} (
      <Anchor href={`mailto:${email}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Anchor>
      )
    </span>
  ))
}
