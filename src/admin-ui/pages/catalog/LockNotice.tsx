import { Alert, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { CurrentTeam } from '../../api/viewer.ts'
import { explainLock } from './familyLabels.ts'

/** Why the family is locked, and what to do about it. */
export function LockNotice({ reason, team }: { reason: string; team: CurrentTeam }) {
  const { name, advice } = explainLock(reason)
  return (
    <Alert color="gray" variant="light" icon={<IconLock size={18} aria-hidden />} title={name}>
      <Text size="sm">{advice({ teamName: team.name, mayManage: team.mayManage })}</Text>
    </Alert>
  )
}
